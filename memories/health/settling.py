"""What a person decides about a finding, carried out and taken back."""

from __future__ import annotations

from django.utils import timezone

from memories import changes, merging
from memories.drafts import Origin
from memories.health.vanishing import DEEDS
from memories.merging import SettledError
from memories.models import Finding, Memory, MemoryRevision
from memories.scrubbing import strike_out

__all__ = ["CHOICES", "SettledError", "settle", "take_back"]

Kind = Finding.Kind
# Of a pair `first` is the older one. `keep`: nothing is wrong with it, and it is not shown again.
PAIR = ("first", "second", "keep")
CHOICES: dict[str, tuple[str, ...]] = {
    Kind.DUPLICATE: PAIR,
    Kind.CONTRADICTION: PAIR,
    Kind.SECRET: ("redact", "keep"),
    Kind.LANGUAGE: ("keep",),
    Kind.UNUSED: ("disable", "keep", "pin"),
    Kind.OVERUSED: ("disable", "keep", "pin"),
}

# What can't be taken back.
FINAL = frozenset({"redact"})


def settle(finding: Finding, decision: str, origin: Origin) -> None:
    """Raises SettledError where somebody else was faster, or the memories are no longer as they were shown."""
    settled = {"settled_at": timezone.now(), "settled_by_id": origin.user_id, "decision": decision}
    if not Finding.objects.open().filter(pk=finding.pk).update(**settled):
        raise SettledError
    try:
        revision = carry_out(finding, decision, origin) if decision in DEEDS else None
    except (SettledError, Memory.DoesNotExist):
        Finding.objects.filter(pk=finding.pk).delete()
        raise SettledError from None
    if revision is not None:
        Finding.objects.filter(pk=finding.pk).update(details=finding.details | {"revision": revision.pk})


def carry_out(finding: Finding, decision: str, origin: Origin) -> MemoryRevision | None:
    """The revision that takes it back, where it can be."""
    memory = finding.memory
    if finding.other is not None:
        winner, loser = (memory, finding.other) if decision == "first" else (finding.other, memory)
        if finding.kind == Kind.DUPLICATE:
            return merging.merge(winner, loser, origin)
        return merging.supersede(winner, loser, origin)
    if decision == "redact":
        strike_out(memory, origin)
        return None
    if decision == "disable":
        memory = changes.set_enabled(memory, False, origin)
    else:
        memory = changes.edit(memory, {"pinned": True}, origin)
    return memory.revisions.order_by("-pk")[0]


def take_back(finding: Finding, origin: Origin) -> None:
    """The finding is open again, and its memories are as they were. A secret that was struck out is gone."""
    if finding.decision in FINAL:
        return
    details = dict(finding.details)
    revision = MemoryRevision.objects.filter(pk=details.pop("revision", None)).select_related("memory__type").first()
    if revision is not None:
        changes.undo(revision, origin)
    opened = {"settled_at": None, "settled_by": None, "decision": "", "details": details}
    Finding.objects.filter(pk=finding.pk).update(**opened)
