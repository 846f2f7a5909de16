"""What was found and left out, in words for a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from memories.redaction.finding import FINDERS

NAMES = {
    "api_key": _("an API key"),
    "password": _("a password"),
    "private_key": _("a private key"),
    "identity_number": _("an identity number"),
    "bank_card": _("a bank card number"),
    "phone_number": _("a phone number"),
}


def list_kinds(kinds: Iterable[str]) -> str:
    """An API key, a password."""
    found = set(kinds)
    return pgettext("between words", ", ").join(str(NAMES[kind]) for kind in FINDERS if kind in found)


def explain_left_out(kinds: Iterable[str]) -> str:
    """Nothing where nothing was."""
    found = list_kinds(kinds)
    return gettext("Left out, to be safe: %(kinds)s.") % {"kinds": found} if found else ""


def explain_secrets(reason: Mapping[str, Any]) -> str:
    """Of a revision's `reason`: what was left out, or kept because somebody insisted; else nothing."""
    if kept := list_kinds(reason.get("kept_secrets", ())):
        return gettext("Kept on purpose: %(kinds)s.") % {"kinds": kept}
    return explain_left_out(reason.get("left_out", ()))
