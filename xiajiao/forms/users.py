from typing import Any

from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from xiajiao.forms.passwords import explain_passwords
from xiajiao.models import User


class AccountForm(BaseUserCreationForm):
    """A name and a password."""

    class Meta:
        model = User
        fields = ["username"]
        help_texts = {"username": _("For signing in. Letters, digits and @ . + - _ without blanks.")}
        error_messages = {"username": {"invalid": _("Only letters, digits and @ . + - _ are possible, and no blank.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        explain_passwords(self.fields["password1"], self.fields["password2"])


class UserForm(AccountForm):
    """One more person, made by an administrator."""

    class Meta(AccountForm.Meta):
        fields = ["username", "is_staff"]
        labels = {"is_staff": _("May administer this installation")}
        help_texts = {
            **AccountForm.Meta.help_texts,
            "is_staff": _("Manages models and people, and may look at and correct everybody's memories."),
        }

    def clean_username(self) -> str:
        """Names that differ only in case would be taken for one person."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise ValidationError(_("Somebody has this name already."))
        return username
