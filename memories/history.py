"""What became of one memory: its revisions as a person reads them, and what can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memories.columns import ColumnChange, TypeNames, describe_changes, name_types
from memories.models import Memory, MemoryRevision
from memories.revising import QUIET_COLUMNS, read_before

SHOWN = 20
Action = MemoryRevision.Action
# Adding is taken back by deleting, and deleting by bringing back; hearing the same again changes nothing.
LASTING = {Action.ADDED, Action.DELETED, Action.IGNORED}


@dataclass(frozen=True)
class Entry:
    """One change, and what it changed. `undone`: the earlier change that it took back, where that was its purpose.

    `was_undone`: somebody took it back, and that still stands. `can_undo`: there is something to be put back.
    `can_rewind`: the memory was another after this change than it is now.
    """

    revision: MemoryRevision
    changes: Sequence[ColumnChange]
    undone: MemoryRevision | None
    was_undone: bool
    can_undo: bool
    can_rewind: bool


@dataclass(frozen=True)
class History:
    """Newest first. `older`: how many are not shown."""

    entries: Sequence[Entry]
    older: int


def read_history(memory: Memory, is_whole: bool = False) -> History:
    revisions = memory.revisions.select_related("user").order_by("-pk")
    count = memory.revisions.count()
    shown = list(revisions if is_whole else revisions[:SHOWN])
    return History(list(read_entries(memory, shown)), count - len(shown))


def read_entries(memory: Memory, revisions: Sequence[MemoryRevision]) -> Iterator[Entry]:
    """From the newest to the oldest, each with the row as it was after it."""
    now = {field.attname: getattr(memory, field.attname) for field in memory._meta.concrete_fields}
    taken_back, types = find_taken_back(memory), name_types()
    named = [revision.points_to("undone") for revision in revisions]
    undone = memory.revisions.in_bulk(named)
    after = dict(now)
    for revision in revisions:
        before = read_before(revision)
        was_undone = revision.pk in taken_back
        yield Entry(
            revision,
            changes=tell_changes(before, after, types),
            undone=undone.get(revision.points_to("undone")),
            was_undone=was_undone,
            can_undo=revision.action not in LASTING and not was_undone and differs(before, now, {"deleted_at"}),
            can_rewind=differs(after, now, QUIET_COLUMNS),
        )
        after |= before


def tell_changes(before: Mapping[str, Any], after: Mapping[str, Any], types: TypeNames) -> list[ColumnChange]:
    """Without what the action's own name says already."""
    told = {name: value for name, value in before.items() if name not in {"deleted_at", "enabled"}}
    return describe_changes(told, after, types)


def differs(columns: Mapping[str, Any], now: Mapping[str, Any], but: set[str]) -> bool:
    return any(now[name] != value for name, value in columns.items() if name not in but)


def find_taken_back(memory: Memory) -> set[int]:
    """The changes that are taken back; not so where taking them back was itself taken back."""
    found: set[int] = set()
    rows = memory.revisions.filter(reason__has_key="undone").order_by("-pk")
    # From the newest on: whether a taking back counts is known before what it took back.
    for pk, undone in rows.values_list("pk", "reason__undone"):
        if pk not in found and isinstance(undone, int) and undone < pk:
            found.add(undone)
    return found


def find_last_change(memory: Memory) -> MemoryRevision | None:
    """The newest change of what a person edits."""
    rows = memory.revisions.select_related("user").exclude(action=Action.IGNORED)
    return rows.order_by("-pk").first()


def rewind_to(memory: Memory, version: int) -> dict[str, Any] | None:
    """The row's columns in an earlier version; None where its revisions don't reach back so far."""
    back = memory.version - version
    columns = {field.attname: getattr(memory, field.attname) for field in memory._meta.concrete_fields}
    for revision in memory.revisions.order_by("-pk").iterator():
        if back <= 0:
            break
        before = read_before(revision)
        columns |= before
        back -= bool(set(before) - QUIET_COLUMNS)
    return columns if back == 0 else None
