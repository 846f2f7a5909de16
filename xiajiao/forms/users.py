from typing import Any

from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from xiajiao.models import User


class UserForm(BaseUserCreationForm):
    class Meta:
        model = User
        fields = ["username", "is_staff"]
        labels = {"is_staff": _("May administer this installation")}
        help_texts = {
            "is_staff": _("Manages models and people, and may look at and correct everybody's memories."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        """Names that differ only in case would be taken for one person."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise ValidationError(_("Somebody has this name already."))
        return username
