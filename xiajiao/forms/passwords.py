"""Choosing a password: the same words wherever somebody does."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


def explain_passwords(first: forms.Field, second: forms.Field) -> None:
    first.help_text = _("At least 8 characters; not one of the common ones, not like the username.")
    second.label = _("The same password again")
    second.help_text = ""


class NewPasswordForm(SetPasswordForm):
    """An administrator's, for somebody else."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = pgettext_lazy("field", "New password")
        explain_passwords(self.fields["new_password1"], self.fields["new_password2"])


class OwnPasswordForm(NewPasswordForm, PasswordChangeForm):
    """A person's own, who has to know the present one."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_incorrect": _("That is not your present password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Present password")
