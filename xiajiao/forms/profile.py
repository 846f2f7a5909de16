from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from xiajiao.models import User


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["language", "theme"]
        labels = {"language": _("Language"), "theme": _("Appearance")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("As in the browser")), *settings.LANGUAGES]
        self.fields["language"] = forms.ChoiceField(label=_("Language"), choices=choices, required=False)
