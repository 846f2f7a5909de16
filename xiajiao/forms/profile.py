from django import forms

from xiajiao.models import User


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["first_name", "email", "language", "theme"]
