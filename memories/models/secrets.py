from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SecretKind(models.TextChoices):
    """What the write gate can leave out of a memory."""

    API_KEY = "api_key", _("API keys and access tokens")
    PASSWORD = "password", _("Passwords")
    PRIVATE_KEY = "private_key", _("Private keys")
    IDENTITY_NUMBER = "identity_number", _("Chinese identity numbers")
    BANK_CARD = "bank_card", _("Bank card numbers")
    PHONE_NUMBER = "phone_number", _("Phone numbers")


def default_redacted_kinds() -> list[str]:
    """All but phone numbers, which people want remembered."""
    return [kind for kind in SecretKind.values if kind != SecretKind.PHONE_NUMBER]
