"""What became of one memory: its revisions as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.models import Memory, MemoryRevision

SHOWN = 20
Action = MemoryRevision.Action
UNDOABLE = {Action.EDITED, Action.REINFORCED, Action.SUPERSEDED, Action.REVIVED, Action.RESTORED}


@dataclass(frozen=True)
class Entry:
    """`was_undone`: somebody took it back later. `can_undo`: it changed something that can be put back."""

    revision: MemoryRevision
    was_undone: bool

    @property
    def can_undo(self) -> bool:
        # Bringing a deleted memory back is undone by deleting it.
        changed = set(self.revision.before) - {"deleted_at"}
        return bool(changed) and self.revision.action in UNDOABLE and not self.was_undone


@dataclass(frozen=True)
class Replaced:
    """An older memory that this one ended, and the change by which it did."""

    memory: Memory
    revision: MemoryRevision | None


@dataclass(frozen=True)
class History:
    """Newest first. `older`: how many are not shown."""

    entries: Sequence[Entry]
    older: int
    replaced: Sequence[Replaced]


def read_history(memory: Memory, is_whole: bool = False) -> History:
    revisions = memory.revisions.select_related("user")
    count = revisions.count()
    shown = list(revisions if is_whole else revisions[:SHOWN])
    undone = set(memory.revisions.filter(reason__has_key="undone").values_list("reason__undone", flat=True))
    entries = [Entry(revision, revision.pk in undone) for revision in shown]
    return History(entries, count - len(shown), find_replaced(memory))


def find_replaced(memory: Memory) -> list[Replaced]:
    return [Replaced(old, old.revisions.filter(action=Action.SUPERSEDED).first()) for old in memory.supersedes.kept()]
