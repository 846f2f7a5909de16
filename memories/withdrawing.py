"""What becomes of a memory when that on which it rested goes away, and how all of it comes back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone

from memories.drafts import Origin
from memories.locks import write_lock
from memories.models import Memory, MemoryRevision
from memories.reversals import known_columns
from memories.revising import Change, read_before, revise

Action = MemoryRevision.Action
# Marks in a revision's reason: the source went (with its cause), a wording went with it, the source came back.
LOST, REWORDED, RETURNED = "source_lost", "reworded", "source_returned"
# Vectors need a model, and these are changes inside somebody's transaction: the sweep makes those that are lacking.
NO_VECTOR = None


def withdraw(memory: Memory, column: str, origin: Origin, cause: str) -> list[int]:
    """Switch a memory off (`enabled`) or delete it (`deleted_at`); what it had superseded counts again.

    Returns the ids of the revisions that tell of it, in their order; none where there was nothing to do.
    """
    columns: Mapping[str, Any] = {"enabled": False} if column == "enabled" else {"deleted_at": timezone.now()}
    action = Action.DISABLED if column == "enabled" else Action.DELETED
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory.pk)
        if current is None or current.deleted_at is not None:
            return []
        done = carry_out(current, columns, Change(action, origin, {LOST: cause}))
        for old in current.supersedes.kept().select_related("agent").order_by("pk"):
            done += revive(old, current, origin, cause)
    return done


def revive(old: Memory, successor: Memory, origin: Origin, cause: str) -> list[int]:
    """As if `successor` had never come: what took that one's place takes the old one's."""
    following = successor.superseded_by
    if following is not None and following.is_active:
        columns = {"superseded_by_id": following.pk, "valid_to": successor.valid_to}
        return carry_out(old, columns, Change(Action.SUPERSEDED, origin, {LOST: cause}))
    ended = old.revisions.filter(action=Action.SUPERSEDED).order_by("pk").first()
    before = read_before(ended) if ended else {}
    columns = {"superseded_by_id": None, "valid_to": before.get("valid_to")}
    reason = {LOST: cause, "instead_of": successor.pk} | ({"undone": ended.pk} if ended else {})
    return carry_out(old, columns, Change(Action.REVIVED, origin, reason))


def reword(memory: Memory, columns: Mapping[str, Any], undone: int, origin: Origin, cause: str) -> list[int]:
    """Give a memory an earlier wording; `undone` is the revision that had brought the present one."""
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory.pk)
        if current is None:
            return []
        reason = {LOST: cause, REWORDED: True, "undone": undone}
        return carry_out(current, known_columns(columns), Change(Action.RESTORED, origin, reason))


def give_back(revision_ids: Sequence[int], origin: Origin) -> None:
    """Take these changes back, the last one first; what was changed since by somebody else stays as they want it."""
    revisions = MemoryRevision.objects.select_related("memory").in_bulk(list(revision_ids))
    for pk in reversed(revision_ids):
        if pk in revisions:
            give_back_one(revisions[pk], revision_ids, origin)


def give_back_one(revision: MemoryRevision, together: Collection[int], origin: Origin) -> None:
    with write_lock(revision.memory.agent_id, revision.memory.user_id):
        current = reread(revision.memory_id)
        if current is None:
            return
        later = current.revisions.filter(pk__gt=revision.pk).exclude(Q(reason__has_key=RETURNED) | Q(pk__in=together))
        columns = without_touched(read_before(revision), later)
        reason = {RETURNED: True, "undone": revision.pk}
        carry_out(current, known_columns(columns), Change(Action.RESTORED, origin, reason))


def without_touched(columns: Mapping[str, Any], later: Iterable[MemoryRevision]) -> dict[str, Any]:
    touched = {name for revision in later for name in revision.before}
    return {name: value for name, value in columns.items() if name not in touched}


def carry_out(memory: Memory, columns: Mapping[str, Any], change: Change) -> list[int]:
    if not revise(memory, columns, change, NO_VECTOR):
        return []
    return [memory.revisions.latest("pk").pk]


def reread(pk: int) -> Memory | None:
    return Memory.objects.select_related("agent", "type").filter(pk=pk).first()
