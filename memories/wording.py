"""What the write gate did and why, in words for a person; memories/judgement names the codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import MemoryRevision

RULES = {
    "new": _("Nothing like it was known."),
    "same_text": _("The same words were known already."),
    "same_fact": _("It says the same in other words; the newer wording counts."),
    "not_near": _("The nearest memory is about something else."),
    "not_sure": _("It may say the same as another memory, but not surely enough: both stay."),
    "vetoed": _("It is like another memory, but differs in what matters: both stay."),
    "has_ended": _("It was over when it was told: kept as history."),
    "came_late": _("It held before what is known now: kept as history."),
}
CHANGED = _("The same thing has another value now.")
ACTIONS = {
    "added": _("Added"),
    "ignored": _("Heard again, word for word"),
    "reinforced": _("Said again in other words"),
    "superseded": _("Replaced by a newer memory"),
    "revived": _("Came back"),
    "edited": _("Edited"),
    "enabled": _("Enabled"),
    "disabled": _("Disabled"),
    "deleted": _("Deleted"),
    "restored": _("Restored"),
}
DECISIONS = {
    "added": _("Remembered."),
    "ignored": _("This was known already, word for word."),
    "reinforced": _("Something like it was known: the newer wording counts now, the older one is in the history."),
    "superseded": _("Remembered. The older memory that it contradicts has ended, and can be brought back."),
}


def name_action(action: str) -> str:
    return str(ACTIONS.get(action, action))


def explain_decision(action: str) -> str:
    """What the gate did with a memory written by hand."""
    return str(DECISIONS[action])


def explain_reason(revision: MemoryRevision) -> str:
    """Why; nothing where a person simply did it."""
    reason: Mapping[str, Any] = revision.reason
    if "rule" not in reason:
        return ""
    sentence = str(RULES.get(reason["rule"], CHANGED))
    if reason.get("cosine") is not None:
        sentence += " " + gettext("Nearness in meaning: %(share).2f.") % {"share": reason["cosine"]}
    return sentence
