"""What the tests of a memory's history share."""

from __future__ import annotations

from memories import gate
from memories.drafts import Draft, Origin
from memories.history import Entry, read_history
from memories.models import Agent, Memory


def keep(agent: Agent, text: str, **columns: object) -> Memory:
    origin = Origin("agent", "tool", agent.owner_id, 7, [len(text)])
    return gate.write(agent, agent.owner_id, Draft(text, **columns), origin).memory  # type: ignore[arg-type]


def person(agent: Agent) -> Origin:
    return Origin("person", "manual", agent.owner_id)


def entries_of(memory: Memory) -> list[Entry]:
    """Newest first."""
    memory.refresh_from_db()
    return list(read_history(memory).entries)
