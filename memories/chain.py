"""What replaced what: the memories before and after one, from the oldest value to the present one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memories.history import find_taken_back
from memories.models import Memory, MemoryRevision

# Steps to either side; further away nobody looks from here.
FURTHEST = 50
Action = MemoryRevision.Action
Gone = Literal["", "deleted", "removed"]


@dataclass(frozen=True)
class Link:
    """One value of the fact and when it held; `memory` is None where it is gone.

    `gone`: deleted (it can be brought back for some minutes) or removed for good. `way_back`: the change that ended
    it, where the memory that is looked at was what replaced it and it does not count now.
    """

    memory: Memory | None
    starts: datetime | None = None
    ends: datetime | None = None
    gone: Gone = ""
    way_back: MemoryRevision | None = None


def trace_chain(memory: Memory) -> list[Link]:
    """In the order of time; empty where the memory replaced nothing and nothing replaced it."""
    newer, older = find_newer(memory), find_older(memory)
    olds = sorted(older, key=lambda old: (started(old), old.pk))
    links = [as_link(each, memory) for each in [*olds, memory, *newer]]
    if has_lost_older([memory, *older, *newer]):
        links.insert(0, Link(None, gone="removed"))
    last = newer[-1] if newer else memory
    if has_lost_newer(last):
        links.append(Link(None, starts=last.valid_to, gone="removed"))
    return links if len(links) > 1 else []


def find_newer(memory: Memory) -> list[Memory]:
    """What replaced it, and what replaced that, and so on."""
    seen = {memory.pk}
    chain: list[Memory] = []
    while len(chain) < FURTHEST:
        memory = next(iter(Memory.objects.filter(supersedes=memory.pk)), memory)
        if memory.pk in seen:
            break
        seen.add(memory.pk)
        chain.append(memory)
    return chain


def find_older(memory: Memory) -> list[Memory]:
    """All that it replaced, directly or not: a tree, of which each level is one query."""
    seen, level, found = {memory.pk}, [memory.pk], []
    for _step in range(FURTHEST):
        rows = [old for old in Memory.objects.filter(superseded_by__in=level) if old.pk not in seen]
        if not rows:
            break
        level = [old.pk for old in rows]
        seen.update(level)
        found += rows
    return found


def as_link(each: Memory, memory: Memory) -> Link:
    if each.deleted_at is not None and each.pk != memory.pk:
        return Link(None, started(each), each.valid_to, "deleted")
    is_direct = each.superseded_by_id == memory.pk and not each.is_active
    ending = each.revisions.filter(action=Action.SUPERSEDED).order_by("-pk").first() if is_direct else None
    return Link(each, started(each), each.valid_to, way_back=ending)


def started(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def has_lost_older(memories: Sequence[Memory]) -> bool:
    """Whether one of them replaced a memory that is no longer in the table."""
    added = MemoryRevision.objects.filter(memory__in=[each.pk for each in memories], action=Action.ADDED)
    replaced = set(added.filter(reason__has_key="supersedes").values_list("reason__supersedes", flat=True))
    there = Memory.objects.filter(pk__in=[pk for pk in replaced if isinstance(pk, int)]).count()
    return there < len(replaced)


def has_lost_newer(memory: Memory) -> bool:
    """Whether it was replaced, that still stands, and what replaced it is no longer in the table."""
    if memory.superseded_by_id is not None or memory.valid_to is None:
        return False
    ending = memory.revisions.filter(action=Action.SUPERSEDED).order_by("-pk").first()
    return ending is not None and ending.pk not in find_taken_back(memory)
