"""What the tests of bulk changes share: memories in numbers, and the form that changes them."""

from __future__ import annotations

from django.test import Client

from memories.gate import Draft, Origin, write
from memories.models import Agent, BulkChange, Memory, MemoryType

HTMX = {"HX-Request": "true"}
MANY = 450


def keep(agent: Agent, content: str) -> Memory:
    return write(agent, agent.owner_id, Draft(content), Origin("agent", "tool", agent.owner_id)).memory


def fill(agent: Agent, count: int = MANY) -> list[Memory]:
    """Bare rows: without vectors and full text."""
    memory_type = MemoryType.objects.get(key="user")
    rows = [Memory(agent=agent, user=agent.owner, type=memory_type, content=f"Fact {n}") for n in range(count)]
    return Memory.objects.bulk_create(rows)


def ask(client: Client, action: str, *memories: Memory, **fields: str) -> BulkChange:
    chosen = {"action": action, "selected": [memory.pk for memory in memories]}
    client.post("/memories/changes/add/", chosen | fields, headers=HTMX)
    return BulkChange.objects.first() or BulkChange()
