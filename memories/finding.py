"""Searching the memories that a person looks through: several agents' and people's at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.db.models import Q

from memories.filtering import MemoryFilter, listed_for, narrow
from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.search import Found, Query, is_relevant, search_memories
from xiajiao.embeddings import embed_query
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.models import User
from xiajiao.vectorstores.base import Vector

HITS = 50
# What is so much fainter than the best is left out, unless a conversation would recall it.
FAINT = 0.5


@dataclass(frozen=True)
class PanelHit:
    """`parts`: the evidence, shares of 1; empty where the text alone was looked through."""

    memory: Memory
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    found: list[PanelHit]
    is_degraded: bool = False


def find(user: User, rows: MemoryQuerySet, query: str) -> Finding:
    """Active ones of `rows` by meaning and words, best first; behind them the others by their text."""
    vector = make_vector(query)
    hits = find_active(user, rows, Query(query, vector, is_explicit=True))
    if len(hits) < HITS:
        hits += find_by_text(rows.exclude(pk__in=[hit.memory.pk for hit in hits]), query)
    return Finding(hits[:HITS], is_degraded=vector is None)


def find_active(user: User, rows: MemoryQuerySet, query: Query) -> list[PanelHit]:
    """Each agent's and person's apart, since each has indexes of its own."""
    pairs = {
        (agent_id, user_id or user.pk)
        for agent_id, user_id in rows.active().order_by().values_list("agent_id", "user_id").distinct()
    }
    agents = Agent.objects.in_bulk({agent_id for agent_id, _user_id in pairs})
    found = {}
    for agent_id, user_id in pairs:
        only = Q(pk__in=rows.filter(agent_id=agent_id).order_by().values("pk"))
        for each in search_memories(agents[agent_id], user_id, query, HITS, only):
            found[each.memory.pk] = each
    # Fused ranks are of one search; the evidence itself compares across several.
    best = sorted(found.values(), key=lambda each: (strength(each), each.rank), reverse=True)
    usual = replace(query, is_explicit=False)
    least = strength(best[0]) * FAINT if best else 0.0
    shown = [each for each in best if strength(each) >= least or is_relevant(each.memory.agent, usual, each)]
    return [PanelHit(each.memory, each.parts) for each in shown]


def strength(found: Found) -> float:
    return found.parts.get("relevance", 0.0) + found.parts.get("coverage", 0.0)


def find_by_text(rows: MemoryQuerySet, query: str) -> list[PanelHit]:
    """What the indexes don't hold: superseded, disabled, or not indexed yet."""
    for word in query.split():
        rows = rows.filter(Q(content__icontains=word) | Q(title__icontains=word))
    memories = rows.select_related("agent", "type", "user").order_by("-updated_at", "-pk")[:HITS]
    return [PanelHit(memory) for memory in memories]


def find_matching(user: User, wanted: MemoryFilter) -> MemoryQuerySet:
    """All that match, for what is done to many at once; of a keyword search, what it shows."""
    rows = narrow(listed_for(user, wanted), wanted)
    if not wanted.q:
        return rows
    return rows.filter(pk__in=[found.memory.pk for found in find(user, rows, wanted.q).found])


def make_vector(text: str) -> Vector | None:
    """None while the embedder is down: then words alone find."""
    try:
        return embed_query(text)
    except EmbeddingError:
        return None
