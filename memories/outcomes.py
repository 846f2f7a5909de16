"""How what the write gate did with a memory can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memories.drafts import Decision
from memories.models import Memory, MemoryRevision

Action = MemoryRevision.Action


@dataclass(frozen=True)
class WayBack:
    """A change that `memories.changes.undo` takes back. `action` is the one that it undoes."""

    action: str
    revision: MemoryRevision


def find_ways_back(decision: Decision) -> list[WayBack]:
    """The first one takes all of it back; none where nothing was changed but a count."""
    return list(list_ways(decision))


def list_ways(decision: Decision) -> Iterator[WayBack]:
    changed: dict[str, list[tuple[str, Memory]]] = {
        Action.ADDED: [(Action.ADDED, decision.memory)],
        Action.REINFORCED: [(Action.REINFORCED, decision.memory)],
    }
    if decision.previous is not None:
        changed[Action.SUPERSEDED] = [(Action.ADDED, decision.memory), (Action.SUPERSEDED, decision.previous)]
    for action, memory in changed.get(decision.action, []):
        revision = memory.revisions.filter(action=action).order_by("-pk").first()
        if revision is not None:
            yield WayBack(action, revision)
