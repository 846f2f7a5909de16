"""What the history tells whoever takes a change back: with what it began, what it ended, what stood there before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memories.models import Memory, MemoryRevision, MemoryType
from memories.revising import read_before

Action = MemoryRevision.Action


def find_root(revision: MemoryRevision) -> tuple[MemoryRevision, bool]:
    """The change with which a chain of undoings began, and whether undoing this link takes it back (or restores it)."""
    takes_back = True
    while isinstance(earlier := revision.reason.get("undone"), int) and earlier < revision.pk:
        found = MemoryRevision.objects.filter(pk=earlier, memory_id=revision.memory_id).first()
        if found is None:
            break
        revision, takes_back = found, not takes_back
    return revision, takes_back


def find_supersessions(revision: MemoryRevision) -> list[MemoryRevision]:
    """Of an addition: the changes by which it ended other memories, where these still count as replaced by it."""
    olds = Memory.objects.kept().filter(pk=revision.points_to("supersedes"), superseded_by=revision.memory_id)
    return [change for old in olds if (change := old.revisions.filter(action=Action.SUPERSEDED).first())]


def find_twins(revision: MemoryRevision) -> list[Memory]:
    """What was split off from this merge and has not changed since."""
    added = MemoryRevision.objects.filter(action=Action.ADDED, reason__split_from=revision.memory_id)
    keys = added.filter(reason__undone=revision.pk).values("memory_id")
    return list(Memory.objects.kept().filter(pk__in=keys, version=1).select_related("agent", "type"))


def find_rewound(revision: MemoryRevision) -> dict[str, Any]:
    """The columns that changed since, as they stood just after this change."""
    columns: dict[str, Any] = {}
    for change in revision.memory.revisions.filter(pk__gt=revision.pk).order_by("-pk"):
        columns |= read_before(change)
    return columns


def known_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Without pointers to rows that are gone by now."""
    known = dict(columns)
    if "type_id" in known and not MemoryType.objects.filter(pk=known["type_id"]).exists():
        del known["type_id"]
    if known.get("superseded_by_id") and not Memory.objects.filter(pk=known["superseded_by_id"]).exists():
        known["superseded_by_id"] = None
    return known
