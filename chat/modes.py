"""What a conversation knows of its person and keeps, as its page tells it and lets it be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from memories.models import MemoryMode

NAMES = {
    MemoryMode.NORMAL: pgettext_lazy("conversation", "Remembers"),
    MemoryMode.READ_ONLY: pgettext_lazy("conversation", "Read-only"),
    MemoryMode.TEMPORARY: pgettext_lazy("conversation", "Temporary"),
}
ICONS = {MemoryMode.NORMAL: "brain", MemoryMode.READ_ONLY: "book-open", MemoryMode.TEMPORARY: "hourglass"}
HINTS = {
    MemoryMode.NORMAL: _("What matters of what you say is remembered."),
    MemoryMode.READ_ONLY: _("It knows what is remembered of you, and keeps nothing of this conversation."),
}


@dataclass(frozen=True)
class ModeChoice:
    mode: MemoryMode
    is_chosen: bool = False

    @property
    def name(self) -> Promise:
        return NAMES[self.mode]

    @property
    def icon(self) -> str:
        return ICONS[self.mode]

    @property
    def hint(self) -> str:
        return str(HINTS[self.mode]) if self.mode in HINTS else explain_temporary()


def explain_temporary() -> str:
    said = ngettext(
        "It knows nothing of you and keeps nothing; %(hours)s hour after the last message it is deleted for good.",
        "It knows nothing of you and keeps nothing; %(hours)s hours after the last message it is deleted for good.",
        1 if settings.TEMPORARY_HOURS == 1 else 2,
    )
    return said % {"hours": f"{settings.TEMPORARY_HOURS:g}"}


def list_choices(chosen: str) -> Sequence[ModeChoice]:
    return [ModeChoice(mode, mode == chosen) for mode in MemoryMode]


def read_mode(said: str) -> str:
    """What a form names; empty where that is no mode."""
    return said if said in MemoryMode.values else ""
