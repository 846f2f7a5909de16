"""A memory type that goes: its memories become another's, each with a revision, then the row is deleted.

The row itself is the job: `moves_to` says that it is going, and where its memories go. What is written meanwhile with
its key goes there too. Whoever finds such a row may carry on with it, also twice at once.
"""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction
from django.db.models import ProtectedError

from memories.changes import rewrite
from memories.drafts import Origin
from memories.models import Memory, MemoryRevision, MemoryType
from memories.models.types import LockedTypeError
from memories.revising import Change
from xiajiao.models import User

# Memories that a request moves while a person waits; more are moved in the background.
AT_ONCE, BATCH = 50, 200


class RemovalError(ValueError):
    """Its memories can't go there; the message says why, for a bug's log: forms offer only what can."""


def begin_removal(memory_type: MemoryType, target: MemoryType | None, person: User) -> None:
    """From now on nobody chooses the type. `target` may be None where no memory has it.

    Raises LockedTypeError for a system type, RemovalError for one that is gone or going already, and for a target that
    is the type itself or is going too.
    """
    with transaction.atomic():
        rows = {row.pk: row for row in MemoryType.objects.select_for_update().order_by("pk")}
        row = rows.get(memory_type.pk)
        if row is None or row.moves_to_id is not None:
            raise RemovalError("It is going already.")
        if row.is_system:
            raise LockedTypeError([row])
        goal = rows.get(target.pk) if target is not None else None
        if goal is None and row.memories.exists():
            raise RemovalError("Its memories need another type.")
        if goal is not None and (goal.pk == row.pk or goal.moves_to_id is not None):
            raise RemovalError(f"Its memories can't go to {goal.key}.")
        if goal is None:
            row.delete()
            return
        row.moves_to, row.moved_by = goal, person
        row.save(update_fields=["moves_to", "moved_by"])


def carry_on(type_id: int, most: int = BATCH) -> bool:
    """Move up to so many memories, and delete the type with the last; whether there are more to move."""
    row = MemoryType.objects.filter(pk=type_id, moves_to__isnull=False).select_related("moves_to").first()
    if row is None:
        return False
    goal = find_goal(row)
    for memory in row.memories.select_related("agent", "type").order_by("pk")[:most]:
        move(memory, row, goal)
    if row.memories.exists():
        return True
    delete_empty(row)
    return False


def move(memory: Memory, row: MemoryType, goal: MemoryType) -> None:
    """Nothing where the memory is gone by now."""
    origin = Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, user_id=row.moved_by_id)
    change = Change(MemoryRevision.Action.EDITED, origin, {"type_deleted": row.name})
    try:
        rewrite(memory, {"type_id": goal.pk}, change)
    except Memory.DoesNotExist:
        return


def find_goal(row: MemoryType) -> MemoryType:
    """The goal may be going, too: then on to its own."""
    goal = row
    while goal.moves_to is not None:
        goal = goal.moves_to
    return goal


def delete_empty(row: MemoryType) -> None:
    """Left to the next sweep where a memory came in just now, or the memories of another type still come here."""
    with suppress(ProtectedError):
        row.delete()


def find_removals() -> list[int]:
    """Types that are going, for the sweep."""
    return list(MemoryType.objects.filter(moves_to__isnull=False).order_by("pk").values_list("pk", flat=True))
