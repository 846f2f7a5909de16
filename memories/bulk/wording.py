"""Bulk changes in words for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from memories.bulk.outcomes import CHANGED, GONE, NOT_ALLOWED, UNCHANGED
from memories.models import BulkChange, Memory, MemoryType
from memories.wording import group

Action = BulkChange.Action
# Lazy plurals take their number when they are filled in.
TITLES: dict[str, Any] = {
    Action.ENABLE: ngettext_lazy("Switch on %(count)s memory", "Switch on %(count)s memories", "number"),
    Action.DISABLE: ngettext_lazy("Switch off %(count)s memory", "Switch off %(count)s memories", "number"),
    Action.PIN: ngettext_lazy("Pin %(count)s memory", "Pin %(count)s memories", "number"),
    Action.UNPIN: ngettext_lazy("Unpin %(count)s memory", "Unpin %(count)s memories", "number"),
    Action.DELETE: ngettext_lazy("Delete %(count)s memory", "Delete %(count)s memories", "number"),
    Action.TYPE: ngettext_lazy(
        "Give %(count)s memory the type “%(kind)s”", "Give %(count)s memories the type “%(kind)s”", "number"
    ),
    Action.CATEGORY: ngettext_lazy("Make %(count)s memory %(kind)s", "Make %(count)s memories %(kind)s", "number"),
}
RESULTS: dict[str, Any] = {
    Action.ENABLE: ngettext_lazy("%(count)s memory is used again.", "%(count)s memories are used again.", "number"),
    Action.DISABLE: ngettext_lazy(
        "%(count)s memory is no longer used.", "%(count)s memories are no longer used.", "number"
    ),
    Action.PIN: ngettext_lazy("%(count)s memory is pinned.", "%(count)s memories are pinned.", "number"),
    Action.UNPIN: ngettext_lazy(
        "%(count)s memory is no longer pinned.", "%(count)s memories are no longer pinned.", "number"
    ),
    Action.DELETE: ngettext_lazy("%(count)s memory is deleted.", "%(count)s memories are deleted.", "number"),
    Action.TYPE: ngettext_lazy(
        "%(count)s memory has the type “%(kind)s” now.", "%(count)s memories have the type “%(kind)s” now.", "number"
    ),
    Action.CATEGORY: ngettext_lazy(
        "%(count)s memory is %(kind)s now.", "%(count)s memories are %(kind)s now.", "number"
    ),
    Action.UNDO: ngettext_lazy(
        "%(count)s memory is as it was before.", "%(count)s memories are as they were before.", "number"
    ),
}
REASONS: dict[str, Any] = {
    NOT_ALLOWED: ngettext_lazy(
        "%(count)s was left: it is shared by the users of somebody else's agent.",
        "%(count)s were left: they are shared by the users of somebody else's agent.",
        "number",
    ),
    GONE: ngettext_lazy("%(count)s is gone meanwhile.", "%(count)s are gone meanwhile.", "number"),
    UNCHANGED: ngettext_lazy("%(count)s was so already.", "%(count)s were so already.", "number"),
    CHANGED: ngettext_lazy(
        "%(count)s was left: it was changed again since.",
        "%(count)s were left: they were changed again since.",
        "number",
    ),
}
# What is gone has no page, and what was so already needs none.
WORTH_A_LOOK, FEW = {NOT_ALLOWED, CHANGED}, 5
ERRORS = {"type_gone": _("The memory type does not exist any more.")}


@dataclass(frozen=True)
class Skipped:
    """Memories that were left as they are for one reason; `named`: the numbers of a few."""

    sentence: str
    named: list[int]


def name_change(change: BulkChange) -> str:
    """What was asked for."""
    if change.undoes is not None:
        return gettext("Take back: %(what)s") % {"what": name_change(change.undoes)}
    return fill(TITLES[change.action], change.total, change)


def tell_result(change: BulkChange) -> str:
    """What has been done, in one sentence."""
    if not change.done:
        return gettext("Nothing was changed.")
    return fill(RESULTS[change.action], change.done, change)


def tell_skipped(change: BulkChange) -> list[Skipped]:
    """For each reason why memories were left as they are."""
    return [
        Skipped(fill(REASONS[reason], each["count"]), each["some"][:FEW] if reason in WORTH_A_LOOK else [])
        for reason, each in change.skipped.items()
    ]


def tell_all(change: BulkChange) -> str:
    return " ".join([tell_result(change), *(each.sentence for each in tell_skipped(change))])


def tell_progress(change: BulkChange) -> str:
    words = gettext("%(handled)s of %(total)s")
    return words % {"handled": group(change.handled), "total": group(change.total)}


def tell_error(change: BulkChange) -> str:
    return str(ERRORS.get(change.error, change.error))


def tell_selection(change: BulkChange) -> str:
    """How the memories were chosen."""
    ids = change.selection.get("ids")
    if ids is not None:
        return ngettext("%(count)s chosen one by one", "%(count)s chosen one by one", len(ids)) % {"count": len(ids)}
    return gettext("all that matched the filter at that moment") if "filter" in change.selection else ""


def fill(words: Any, count: int, change: BulkChange | None = None) -> str:
    kind = name_kind(change) if change is not None else ""
    return str(words % {"count": group(count), "number": count, "kind": kind})


def name_kind(change: BulkChange) -> str:
    """The type or category that the memories are given."""
    if change.action == Action.CATEGORY:
        return str(Memory.Category(change.arguments["category"]).label)
    if change.action != Action.TYPE:
        return ""
    memory_type = MemoryType.objects.filter(pk=change.arguments["type"]).first()
    return gettext("one that is gone") if memory_type is None else memory_type.display_name
