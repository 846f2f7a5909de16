"""One batch of a bulk change, inside the write lock of its agent and person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from memories.bulk.outcomes import CHANGED, GONE, NOT_ALLOWED, UNCHANGED, Outcome
from memories.drafts import Origin
from memories.indexing import Embedded
from memories.models import BulkBatch, BulkChange, Memory, MemoryRevision, MemoryType
from memories.reversals import known_columns
from memories.revising import Change, read_before, revise_all

Action = BulkChange.Action
# What the revisions say; the others are edits.
REVISED = {
    Action.ENABLE: MemoryRevision.Action.ENABLED,
    Action.DISABLE: MemoryRevision.Action.DISABLED,
    Action.DELETE: MemoryRevision.Action.DELETED,
}
Vectors = Mapping[int, Embedded]


class DeedError(Exception):
    """It can't be done to any memory, however often it is tried; the text is a code for the page to word."""


def apply(change: BulkChange, batch: BulkBatch, embedded: Vectors) -> Outcome:
    """Raises DeedError."""
    if change.action == Action.UNDO:
        return take_back(change, batch, embedded)
    rows, skipped = read_rows(change, batch)
    revised = REVISED.get(Action(change.action), MemoryRevision.Action.EDITED)
    why = Change(revised, origin_of(change), bulk_id=change.pk)
    changed = revise_all(rows, columns_of(change), {memory.pk: why for memory in rows}, embedded)
    unchanged = keys(rows) - keys(changed)
    return Outcome(len(changed), skipped | {UNCHANGED: sorted(unchanged)})


def read_rows(change: BulkChange, batch: BulkBatch) -> tuple[list[Memory], dict[str, list[int]]]:
    """Those of the batch that the person may change now, and why not the others. An undo finds deleted ones too."""
    there = Memory.objects.of_person(batch.agent_id, batch.user_id).filter(pk__in=batch.memory_ids)
    if change.action != Action.UNDO:
        there = there.kept()
    rows = list(there.select_related("agent").order_by("pk"))
    allowed = set(there.editable_by(change.user).values_list("pk", flat=True))
    skipped = {
        GONE: sorted(set(batch.memory_ids) - keys(rows)),
        NOT_ALLOWED: sorted(keys(rows) - allowed),
    }
    return [memory for memory in rows if memory.pk in allowed], skipped


def columns_of(change: BulkChange) -> dict[str, Any]:
    match change.action:
        case Action.ENABLE | Action.DISABLE:
            return {"enabled": change.action == Action.ENABLE}
        case Action.PIN | Action.UNPIN:
            return {"pinned": change.action == Action.PIN}
        case Action.CATEGORY:
            return {"category": change.arguments["category"]}
        case Action.TYPE:
            if not MemoryType.objects.usable().filter(pk=change.arguments["type"]).exists():
                raise DeedError("type_gone")
            return {"type_id": change.arguments["type"]}
        case _:
            return {"deleted_at": timezone.now()}


def take_back(change: BulkChange, batch: BulkBatch, embedded: Vectors) -> Outcome:
    """Give the columns that the change touched their former values, where nobody has touched the memory since."""
    rows, skipped = read_rows(change, batch)
    made = MemoryRevision.objects.filter(bulk_id=change.undoes_id, memory_id__in=batch.memory_ids)
    revisions = {revision.memory_id: revision for revision in made}
    untouched = [row for row in rows if row.pk in revisions and row.updated_at == revisions[row.pk].at]
    origin = origin_of(change)
    changed: set[int] = set()
    for columns, group in by_columns(untouched, revisions):
        whys = {
            memory.pk: Change(
                MemoryRevision.Action.RESTORED, origin, {"undone": revisions[memory.pk].pk}, bulk_id=change.pk
            )
            for memory in group
        }
        changed |= keys(revise_all(group, columns, whys, embedded))
    return Outcome(len(changed), skipped | {CHANGED: sorted(keys(rows) - changed)})


def by_columns(
    memories: Iterable[Memory], revisions: Mapping[int, MemoryRevision]
) -> list[tuple[dict[str, Any], list[Memory]]]:
    """Memories that get the same values back stand together."""
    groups: dict[str, tuple[dict[str, Any], list[Memory]]] = {}
    for memory in memories:
        before = revisions[memory.pk].before
        name = repr(sorted(before.items()))
        if name not in groups:
            groups[name] = (known_columns(read_before(revisions[memory.pk])), [])
        groups[name][1].append(memory)
    return list(groups.values())


def origin_of(change: BulkChange) -> Origin:
    return Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, user_id=change.user_id)


def keys(memories: Iterable[Memory]) -> set[int]:
    return {memory.pk for memory in memories}
