"""What a turn should know: found memories, and those that always hold."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from memories.budget import fit
from memories.models import Agent, Memory
from memories.queries import asks_for_everything, compose_queries
from memories.recalled import Reason, Recall, RecalledMemory
from memories.search import Query, merge, search_memories, visible
from memories.sections import render_memory_section
from xiajiao.embeddings.deadline import EmbeddedQueries, embed_in_time
from xiajiao.vectorstores.base import Vector

__all__ = ["Recall", "RecalledMemory", "recall", "render_memory_section"]

# Pinned memories and rules at most; what exceeds the budget among them is cut anyway.
STANDING = 60


def recall(agent: Agent, user_id: int, query: str, previous: str = "") -> Recall:
    """Memories for a message; `previous` is the person's message before it.

    Pinned and procedural ones always come, for similarity never finds "reply briefly"; others only where they are
    relevant, at most `agent.top_k`. Within settings.RECALL_DEADLINE, or by full text alone; never raises for a model.
    """
    texts = compose_queries(query, previous)
    embedded = embed_in_time(texts) if texts else EmbeddedQueries()
    standing = find_standing(agent, user_id)
    relevant = find_relevant(agent, user_id, texts, embedded)
    if asks_for_everything(query):
        relevant += find_foremost(agent, user_id)
    items = fit(join(standing, relevant, agent.top_k))
    Memory.objects.filter(pk__in=[item.memory.pk for item in items if not item.was_cut]).count_recall()
    return Recall(items, embedded.degraded)


def find_standing(agent: Agent, user_id: int) -> list[RecalledMemory]:
    always = visible(agent, user_id).active().filter(Q(pinned=True) | Q(category=Memory.Category.PROCEDURAL))
    rows = always.select_related("type").order_by("-pinned", "-importance", "-updated_at", "-pk")[:STANDING]
    return [RecalledMemory(memory, None, {}, reason_of(memory)) for memory in rows]


def reason_of(memory: Memory) -> Reason:
    return "pinned" if memory.pinned else "procedural"


def find_relevant(agent: Agent, user_id: int, texts: Sequence[str], embedded: EmbeddedQueries) -> list[RecalledMemory]:
    vectors: Sequence[Vector | None] = embedded.vectors or [None] * len(texts)
    queries = [Query(text, vector) for text, vector in zip(texts, vectors, strict=True)]
    found = merge([search_memories(agent, user_id, query, agent.top_k) for query in queries])
    return [RecalledMemory(each.memory, each.score, each.parts, "relevant") for each in found]


def find_foremost(agent: Agent, user_id: int) -> list[RecalledMemory]:
    """The most important and newest, for who wants to hear all that is remembered."""
    rows = visible(agent, user_id).active().select_related("type").order_by("-importance", "-updated_at", "-pk")
    return [RecalledMemory(memory, None, {}, "relevant") for memory in rows[: agent.top_k]]


def join(standing: Sequence[RecalledMemory], relevant: Sequence[RecalledMemory], top_k: int) -> list[RecalledMemory]:
    """Each memory once; of the relevant ones `top_k`."""
    known = {item.memory.pk for item in standing}
    others = {item.memory.pk: item for item in reversed(relevant) if item.memory.pk not in known}
    return [*standing, *list(reversed(others.values()))[:top_k]]
