"""A demonstration is written: through the doors of the indexes, tags and tallies, batch by batch."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memories.creating import settle
from memories.demonstration.lives import Life, list_revisions
from memories.demonstration.people import find_people, make_agents, make_people, make_types
from memories.indexing import current_model, embed_texts, searchable_text
from memories.locks import write_lock
from memories.models import Agent, Memory, MemoryRevision
from memories.namespaces import memory_namespace, vectors_of
from xiajiao import fulltext
from xiajiao.batches import batched
from xiajiao.embeddings import get_embedder
from xiajiao.models import User
from xiajiao.vectorstores import get_store
from xiajiao.vectorstores.base import Vector

FIRST_BATCH, BATCH = 10, 500
# Of ten thousand memories, those that all users of an agent share.
SHARED = 150


@dataclass(frozen=True)
class Wish:
    """`vectors`: "none", "random" or "real"; the same seed and moment make the same rows."""

    memories: int
    agents: int
    people: int
    seed: int
    until: datetime
    vectors: str = "none"


def fill(wish: Wish, tell: Callable[[int], None]) -> list[User]:
    """The people who have them; `tell` hears how many memories are written so far."""
    # The same each time, which no secret may be.
    chooser = random.Random(wish.seed)  # noqa: S311
    people = make_people(wish.people)
    agents = make_agents(people[0], wish.agents, chooser)
    types, written = make_types(), 0
    for agent, person, count in share_out(wish, agents, people):
        life = Life(agent, person, types, wish.until, chooser)
        former: list[Memory] = []
        for size in cut(count):
            former = write_batch(life, size, former, wish)
            written += size
            tell(written)
    return people


def share_out(wish: Wish, agents: Sequence[Agent], people: Sequence[User]) -> Iterator[tuple[Agent, User | None, int]]:
    """Some agents and people have many, others few; together there are as many as were wished for."""
    weights = {
        (agent, person): (1 if person else SHARED / 10_000) / (place + 2) ** 0.5 / (number + 1)
        for place, agent in enumerate(agents)
        for number, person in enumerate([*people, None])
    }
    total, done, passed = sum(weights.values()), 0, 0.0
    for (agent, person), weight in weights.items():
        passed += weight
        due = round(wish.memories * passed / total)
        yield agent, person, due - done
        done = due


def cut(count: int) -> Iterator[int]:
    """Small batches first: what replaces another was written before it."""
    size = FIRST_BATCH
    while count > 0:
        yield min(size, count)
        count -= size
        size = min(2 * size, BATCH)


def write_batch(life: Life, size: int, former: Sequence[Memory], wish: Wish) -> list[Memory]:
    """Returns rows that later ones may have been replaced by."""
    memories = [life.make(former) for _number in range(size)]
    vectors = make_vectors([memory for memory in memories if memory.is_findable], life.chooser, wish.vectors)
    with write_lock(life.agent.pk, life.person.pk if life.person else None):
        Memory.objects.bulk_create(memories, batch_size=BATCH)
        settle(memories)
        index_batch(life, [memory for memory in memories if memory.is_findable], vectors)
        revisions = [each for memory in memories for each in list_revisions(memory, life.chooser)]
        MemoryRevision.objects.bulk_create(revisions, batch_size=BATCH)
    return [memory for memory in memories if memory.is_active][:20] or list(former)


def make_vectors(memories: Sequence[Memory], chooser: random.Random, kind: str) -> list[Vector]:
    """(n, dim) float32; one for each memory, or none at all. Sets `embedded_with`."""
    if kind == "none" or not memories:
        return []
    for memory in memories:
        memory.embedded_with = current_model()
    if kind == "real":
        return [embedded.vector for embedded in embed_texts([memory.content for memory in memories])]
    numbers = np.random.default_rng(chooser.getrandbits(32))
    vectors = numbers.standard_normal((len(memories), get_embedder().dim)).astype(np.float32)
    return list(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def index_batch(life: Life, memories: Sequence[Memory], vectors: Sequence[Vector]) -> None:
    namespace = memory_namespace(life.agent.pk, life.person.pk if life.person else None)
    fulltext.index(namespace, {str(memory.pk): searchable_text(memory) for memory in memories})
    if vectors:
        keys = [str(memory.pk) for memory in memories]
        where = vectors_of(memories[0], memories[0].embedded_with)
        get_store(life.agent.vector_store).upsert(where, dict(zip(keys, vectors, strict=True)))


def remove(tell: Callable[[int], None]) -> int:
    """Takes the demonstration away again, and nothing else; how many memories it had."""
    people, removed = find_people(), 0
    rows = Memory.objects.filter(agent__owner__in=people).order_by("pk")
    for batch in batched(list(rows.values_list("pk", flat=True))):
        Memory.objects.filter(pk__in=batch).delete()
        removed += len(batch)
        tell(removed)
    for person in people:
        person.delete()
    return removed
