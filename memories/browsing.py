"""The memories that a person looks through: filtered, searched, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.search import Found, Query, search_memories
from xiajiao.embeddings import embed_query
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.models import User
from xiajiao.vectorstores.base import Vector

PAGE = 50
HITS = 50
STATES = ("active", "superseded", "disabled")


@dataclass(frozen=True)
class MemoryFilter:
    """What is looked for; `older_than` is the id of the last memory of the page before."""

    agent_id: int | None = None
    person_id: int | None = None
    category: str = ""
    state: str = "active"
    query: str = ""
    older_than: int | None = None


@dataclass(frozen=True)
class MemoryRow:
    """`parts`: why the search found it; empty where nothing was searched for."""

    memory: Memory
    parts: dict[str, float]


@dataclass(frozen=True)
class MemoryPage:
    rows: list[MemoryRow]
    older_than: int | None = None


def seen_by(user: User) -> MemoryQuerySet:
    """The person's own and shared memories; staff see everybody's."""
    kept = Memory.objects.kept()
    return kept if user.is_staff else kept.for_user(user)


def browse(user: User, wanted: MemoryFilter) -> MemoryPage:
    rows = narrow(seen_by(user), wanted)
    if wanted.query.strip():
        return MemoryPage(find(user, rows, wanted))
    rows = rows.select_related("agent", "type", "user").prefetch_related("revisions").order_by("-updated_at", "-pk")
    last = Memory.objects.filter(pk=wanted.older_than).first() if wanted.older_than else None
    if last is not None:
        rows = rows.filter(Q(updated_at__lt=last.updated_at) | Q(updated_at=last.updated_at, pk__lt=last.pk))
    page = list(rows[: PAGE + 1])
    shown = [MemoryRow(memory, {}) for memory in page[:PAGE]]
    return MemoryPage(shown, shown[-1].memory.pk if len(page) > PAGE else None)


def narrow(rows: MemoryQuerySet, wanted: MemoryFilter) -> MemoryQuerySet:
    if wanted.agent_id is not None:
        rows = rows.filter(agent_id=wanted.agent_id)
    if wanted.person_id is not None:
        rows = rows.filter(user_id=wanted.person_id)
    if wanted.category:
        rows = rows.filter(category=wanted.category)
    return in_state(rows, wanted.state)


def in_state(rows: MemoryQuerySet, state: str) -> MemoryQuerySet:
    match state:
        case "superseded":
            return rows.filter(valid_to__lte=timezone.now())
        case "disabled":
            return rows.filter(enabled=False)
        case _:
            return rows.active()


def find(user: User, rows: MemoryQuerySet, wanted: MemoryFilter) -> list[MemoryRow]:
    """Active memories by meaning and words, each agent's and person's apart; others by their text."""
    if wanted.state != "active":
        return find_by_text(rows, wanted.query)
    query = Query(wanted.query, make_vector(wanted.query), is_explicit=True)
    found: dict[int, Found] = {}
    pairs = rows.order_by().values_list("agent_id", "user_id").distinct()
    agents = Agent.objects.in_bulk([agent_id for agent_id, _user_id in pairs])
    only = Q(category=wanted.category) if wanted.category else Q()
    for agent_id, user_id in pairs:
        for each in search_memories(agents[agent_id], user_id or user.pk, query, HITS, only):
            found[each.memory.pk] = each
    visible = set(rows.filter(pk__in=found).values_list("pk", flat=True))
    best = sorted(found.values(), key=lambda each: each.rank, reverse=True)
    return [MemoryRow(each.memory, each.parts) for each in best if each.memory.pk in visible][:HITS]


def find_by_text(rows: MemoryQuerySet, query: str) -> list[MemoryRow]:
    for word in query.split():
        rows = rows.filter(Q(content__icontains=word) | Q(title__icontains=word))
    return [MemoryRow(memory, {}) for memory in rows.select_related("agent", "type", "user")[:HITS]]


def make_vector(text: str) -> Vector | None:
    """None while the embedder is down: then words alone find."""
    try:
        return embed_query(text)
    except EmbeddingError:
        return None


def count_by_agent(user: User, person_id: int | None = None) -> Sequence[Mapping[str, Any]]:
    """Rows of agent (id, name, emoji), their active memories and how many of them are of each category."""
    rows = seen_by(user).active()
    if person_id is not None:
        rows = rows.filter(user_id=person_id)
    counts = {category: Count("pk", filter=Q(category=category)) for category in Memory.Category.values}
    by_agent = rows.order_by().values("agent_id", "agent__name", "agent__emoji").annotate(total=Count("pk"), **counts)
    return list(by_agent.order_by("agent__name", "agent_id"))
