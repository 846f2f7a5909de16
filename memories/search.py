"""Finding memories by meaning and by words, for a turn and for the tools."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.namespaces import namespace_of, recalled_namespaces
from xiajiao import retrieval
from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.centring import Passage, aim, measure_relevance
from xiajiao.fulltext import Namespaces
from xiajiao.retrieval import Hit
from xiajiao.vectorstores import get_store, vector_namespace
from xiajiao.vectorstores.base import Vector

# The indexes also hold what has not begun or has ended: so many times more is asked for than is wanted.
OVERFETCH, FURTHER = 4, 32
LEAST = 40
# Share of the query's words that a memory must hold to be relevant by them: with its meaning known, and without.
STRONG_COVERAGE, COVERAGE_ALONE = 0.5, 0.25
# Share of the floors that is enough for an explicit search.
EXPLICIT_SHARE = 0.25


@dataclass(frozen=True)
class Query:
    """`vector` is None where the embedder is down: then words alone decide.

    `is_explicit`: a model asks, in its own keywords, and judges by the scores; what is only half as near is shown too.
    """

    text: str
    vector: Vector | None = None
    is_explicit: bool = False


@dataclass(frozen=True)
class Found:
    """`score` is the relevance where there is a vector, else the share of the query's terms; `rank` orders."""

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
        hits = find_hits(agent, user_id, query, wanted)
        memories = rows.in_bulk([int(hit.key) for hit in hits])
        known = {int(hit.key): hit for hit in hits if int(hit.key) in memories}
        if len(known) >= top_k or len(hits) < wanted:
            break
    relevance = find_relevance(query, memories)
    found = [as_found(memories[pk], hit, relevance.get(pk)) for pk, hit in known.items()]
    relevant = [each for each in found if is_relevant(agent, query, each)]
    return sorted(relevant, key=lambda each: each.rank, reverse=True)[:top_k]


def visible(agent: Agent, user_id: int) -> MemoryQuerySet:
    """What a person's turn with an agent may reach; never another person's rows."""
    return Memory.objects.filter(Q(user_id=user_id) | Q(user__isnull=True), agent=agent)


def find_hits(agent: Agent, user_id: int, query: Query, top_k: int) -> list[Hit]:
    return find_hits_in(recalled_namespaces(agent.pk, user_id), query, top_k, agent.vectors_in)


def find_hits_in(namespaces: Namespaces, query: Query, top_k: int, store: str) -> list[Hit]:
    """`store`: the alias of the one that holds their vectors."""
    aimed = None if query.vector is None else aim(get_embedder(), query.vector, query.text)
    return retrieval.search(namespaces, query.text, aimed, top_k, get_store(store))


def find_relevance(query: Query, memories: Mapping[int, Memory]) -> dict[int, float]:
    """Of those that have a vector, whether it was the vector or the words that found them."""
    if query.vector is None:
        return {}
    embedder = get_embedder()
    places: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pk, memory in memories.items():
        places[memory.agent.vectors_in][vector_namespace(namespace_of(memory), embedder.full_name)].append(str(pk))
    vectors = [found for store, keys in places.items() for found in get_store(store).fetch_from(keys).items()]
    passages = {int(key): Passage(memories[int(key)].content, vector) for (_where, key), vector in vectors}
    relevance = measure_relevance(embedder, query.vector, query.text, list(passages.values()))
    return dict(zip(passages, relevance, strict=True))


def as_found(memory: Memory, hit: Hit, relevance: float | None) -> Found:
    boost = weigh(memory)
    parts = {"relevance": relevance, "lexical": hit.lexical, "coverage": hit.coverage, "fused": hit.score}
    known = {name: round(float(value), 4) for name, value in (parts | {"boost": boost}).items() if value is not None}
    score = relevance if relevance is not None else hit.coverage or 0.0
    return Found(memory, score, hit.score * boost, known)


def is_relevant(agent: Agent, query: Query, found: Found) -> bool:
    coverage, relevance = found.parts["coverage"], found.parts.get("relevance")
    share = EXPLICIT_SHARE if query.is_explicit else 1.0
    if relevance is None:
        return coverage >= COVERAGE_ALONE * share
    floor = agent.relevance_floor if agent.relevance_floor is not None else get_embedder().calibration.floor
    return relevance >= floor * share or coverage >= STRONG_COVERAGE * share


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
