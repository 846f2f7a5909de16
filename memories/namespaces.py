"""Where an agent's memories of one person stand in the indexes."""

from __future__ import annotations

from memories.models import Memory
from xiajiao.vectorstores import vector_namespace

# An agent, and a person; None: what all its users share.
Pair = tuple[int, int | None]
# Ends the namespace of vectors whose memories are disabled, deleted or superseded.
ASIDE = "#aside"


def memory_namespace(agent_id: int, user_id: int | None) -> str:
    """`memories:<agent>:<user>`; those shared by all users of the agent stand in `memories:<agent>:shared`.

    The key in both indexes is the memory's primary key as text.
    """
    return f"memories:{agent_id}:{'shared' if user_id is None else user_id}"


def namespace_of(memory: Memory) -> str:
    return memory_namespace(memory.agent_id, memory.user_id)


def vectors_of(memory: Memory, model: str) -> str:
    """Where its vector stands that this model made, as long as a search is to find it; with ASIDE behind it, else."""
    return vector_namespace(namespace_of(memory), model)


def recalled_namespaces(agent_id: int, user_id: int) -> list[str]:
    """What a person's turn may know: their own memories and those shared by all users of the agent."""
    return [memory_namespace(agent_id, user_id), memory_namespace(agent_id, None)]
