"""Signing in, with a bound to guessing."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from xiajiao.guessing import count_failure, forget_failures, is_guessing


class SignInForm(AuthenticationForm):
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("The username or the password is wrong. Capitals matter in both."),
    }

    def clean(self) -> dict[str, Any]:
        """A right password is refused too while somebody guesses: else the guesser would learn that it is right."""
        name = self.cleaned_data.get("username") or ""
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        if is_guessing(name, address):
            text = _("Too many attempts. Wait ten minutes, or let an administrator set a new password.")
            raise ValidationError(text, code="guessing")
        try:
            cleaned = super().clean()
        except ValidationError:
            count_failure(name, address)
            raise
        forget_failures(name, address)
        return cleaned
