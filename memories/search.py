"""Finding memories by meaning and by words, for a turn and for the tools."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.namespaces import recalled_namespaces
from xiajiao import retrieval
from xiajiao.embeddings import get_embedder
from xiajiao.retrieval import Hit
from xiajiao.vectorstores import get_store
from xiajiao.vectorstores.base import Vector

# The indexes also hold what has not begun or has ended: so many times more is asked for than is wanted.
OVERFETCH, FURTHER = 4, 32
LEAST = 40
# Share of the query's terms that a memory must hold to count as found by its words alone.
STRONG_COVERAGE = 0.5


@dataclass(frozen=True)
class Query:
    """`vector` is None where the embedder is down: then words alone decide."""

    text: str
    vector: Vector | None = None


@dataclass(frozen=True)
class Found:
    """`score` is the cosine where there is one, else the share of the query's terms; `rank` orders, higher first."""

    memory: Memory
    score: float
    rank: float
    parts: dict[str, float]


def search_memories(agent: Agent, user_id: int, query: Query, top_k: int, only: Q | None = None) -> list[Found]:
    """Relevant active memories of the person and those shared by all users of the agent, best first.

    None under the floor: neither near enough in meaning nor holding the words of the query.
    """
    rows = visible(agent, user_id).active().filter(only or Q()).select_related("type", "agent")
    for factor in (OVERFETCH, FURTHER):
        wanted = max(top_k * factor, LEAST)
        hits = retrieval.search(
            recalled_namespaces(agent.pk, user_id), query.text, query.vector, wanted, get_store(agent.vector_store)
        )
        relevant = [hit for hit in hits if is_relevant(agent, hit)]
        memories = rows.in_bulk([int(hit.key) for hit in relevant])
        found = [as_found(memories[int(hit.key)], hit) for hit in relevant if int(hit.key) in memories]
        if len(found) >= top_k or len(hits) < wanted:
            break
    return sorted(found, key=lambda each: each.rank, reverse=True)[:top_k]


def visible(agent: Agent, user_id: int) -> MemoryQuerySet:
    """What a person's turn with an agent may reach; never another person's rows."""
    return Memory.objects.filter(Q(user_id=user_id) | Q(user__isnull=True), agent=agent)


def is_relevant(agent: Agent, hit: Hit) -> bool:
    if (hit.coverage or 0.0) >= STRONG_COVERAGE:
        return True
    return hit.dense is not None and hit.dense >= floor_of(agent)


def floor_of(agent: Agent) -> float:
    if agent.relevance_floor is not None:
        return agent.relevance_floor
    return get_embedder().calibration.floor


def as_found(memory: Memory, hit: Hit) -> Found:
    parts = {"fused": hit.score, "dense": hit.dense, "lexical": hit.lexical, "coverage": hit.coverage}
    boost = weigh(memory)
    known = {name: round(float(value), 4) for name, value in parts.items() if value is not None}
    score = hit.dense if hit.dense is not None else hit.coverage or 0.0
    return Found(memory, float(score), hit.score * boost, known | {"boost": round(boost, 4)})


def weigh(memory: Memory) -> float:
    """Small factors for what is recent, important or often said: they order equals and turn nothing upside down."""
    age = max((timezone.now() - memory.updated_at).total_seconds(), 0.0) / 86_400
    recency = 0.02 * math.exp(-age / 30)
    importance = 0.02 * (memory.importance - Memory.Importance.MEDIUM)
    proof = 0.01 * min(math.log2(memory.proof_count), 3)
    return 1 + recency + importance + proof


def merge(results: Sequence[Sequence[Found]]) -> list[Found]:
    """Of several queries: each memory once, as the query found it that ranked it best."""
    best: dict[int, Found] = {}
    for found in (each for result in results for each in result):
        if found.memory.pk not in best or best[found.memory.pk].rank < found.rank:
            best[found.memory.pk] = found
    return sorted(best.values(), key=lambda each: each.rank, reverse=True)
