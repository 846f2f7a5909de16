"""From one vector store to another: copied while the old one serves, then one switch.

While an agent moves, whatever is written goes to both stores (see memories.indexing), so that what was copied does not
grow old.
"""

from __future__ import annotations

from collections.abc import Sequence

from memories.indexing import by_embedder
from memories.locks import write_lock
from memories.models import Agent, Memory
from memories.models.agents import AgentQuerySet
from memories.namespaces import ASIDE, Pair, memory_namespace, vectors_of
from xiajiao.batches import batched
from xiajiao.vectorstores import get_store, vector_namespace


def copy_vectors(memories: Sequence[Memory]) -> None:
    """Of rows of one agent and person, inside the write lock."""
    agent = memories[0].agent
    for model, rows in by_embedder(memories).items():
        for end in ("", ASIDE):
            copy(agent, f"{vectors_of(rows[0], model)}{end}", [str(memory.pk) for memory in rows])


def copy(agent: Agent, namespace: str, keys: Sequence[str]) -> None:
    vectors = get_store(agent.vectors_in).fetch(namespace, keys)
    if vectors:
        get_store(agent.vector_store).upsert(namespace, vectors)


def move_in(agent: Agent, pairs: Sequence[Pair]) -> None:
    """Let searches turn to the store that the agent names, and free the other one.

    Nothing is freed where another run was faster, or the agent names yet another store by now.
    """
    old, new = get_store(agent.vectors_in), get_store(agent.vector_store)
    namespaces = [name for pair in pairs for name in namespaces_of(pair)]
    for pair in pairs:
        with write_lock(*pair):
            # Held until the pair is copied: nobody turns or frees a store meanwhile.
            if not same_move(agent).select_for_update(no_key=True).first():
                return
            copy_rest(agent, namespaces_of(pair))
    has_moved = same_move(agent).update(vectors_in=agent.vector_store)
    if has_moved and old.place != new.place:
        for name in namespaces:
            old.drop(name)


def same_move(agent: Agent) -> AgentQuerySet:
    """The agent's row, as long as its vectors go from and to the stores that the one at hand names."""
    return Agent.objects.filter(pk=agent.pk, vectors_in=agent.vectors_in, vector_store=agent.vector_store)


def copy_rest(agent: Agent, namespaces: Sequence[str]) -> None:
    """What the new store lacks is copied, what it has too much is deleted."""
    old, new = get_store(agent.vectors_in), get_store(agent.vector_store)
    for name in namespaces:
        held, copied = old.keys(name), new.keys(name)
        new.delete(name, copied - held)
        for batch in batched(held - copied):
            copy(agent, name, batch)


def namespaces_of(pair: Pair) -> list[str]:
    """All in which vectors of the pair's memories stand."""
    rows = Memory.objects.filter(agent=pair[0], user=pair[1]).exclude(embedded_with="").order_by()
    models = set(rows.values_list("embedded_with", flat=True).distinct())
    return [
        f"{vector_namespace(memory_namespace(*pair), model)}{end}" for model in sorted(models) for end in ("", ASIDE)
    ]
