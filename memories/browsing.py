"""The memories that a person looks through: whose, filtered, page by page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery, prefetch_related_objects
from django.utils import timezone

from memories.finding import HITS, Finding, find
from memories.models import Agent, Memory, MemoryRevision
from memories.models.agents import AgentQuerySet
from memories.models.memories import MemoryQuerySet
from xiajiao.models import User

PAGE = 50
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
# Until the year 2500 or so.
PLACE = re.compile(r"[0-9]{1,16}-[0-9]{1,18}")
STATES = ("active", "superseded", "disabled", "all")


@dataclass(frozen=True)
class Place:
    """Between two memories of the list, newest first: whatever changes meanwhile moves no page."""

    updated_at: datetime
    pk: int

    def __str__(self) -> str:
        return f"{(self.updated_at - EPOCH) // MICROSECOND}-{self.pk}"

    @classmethod
    def read(cls, text: str) -> Place | None:
        """None where the text is no place."""
        if not PLACE.fullmatch(text):
            return None
        moment, pk = map(int, text.split("-"))
        return cls(EPOCH + moment * MICROSECOND, pk)


@dataclass(frozen=True)
class MemoryFilter:
    """What is looked for. `everybody` and `person_id` count for staff alone; without them it is one's own."""

    agent_id: int | None = None
    everybody: bool = False
    person_id: int | None = None
    category: str = ""
    state: str = "active"
    query: str = ""
    older_than: Place | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether there may be memories that it leaves out."""
        return bool(self.agent_id or self.person_id or self.category or self.query or self.state != "active")


@dataclass(frozen=True)
class MemoryRow:
    """`last`: what was done to it last. `parts`: why the search found it; empty where nothing was searched for."""

    memory: Memory
    last: MemoryRevision | None
    parts: Mapping[str, float]


@dataclass(frozen=True)
class MemoryPage:
    """`is_degraded`: the embedder is down, words alone were searched. `is_cut`: the search found more than it shows."""

    rows: Sequence[MemoryRow]
    older_than: Place | None = None
    is_degraded: bool = False
    is_cut: bool = False


def seen_by(user: User) -> MemoryQuerySet:
    """What the person may open: their own and shared memories; staff may open everybody's."""
    kept = Memory.objects.kept()
    return kept if user.is_staff else kept.for_user(user)


def listed_for(user: User, wanted: MemoryFilter) -> MemoryQuerySet:
    """Staff too see other people's memories only where they ask for them."""
    if user.is_staff and wanted.person_id is not None:
        return Memory.objects.kept().filter(user_id=wanted.person_id)
    if user.is_staff and wanted.everybody:
        return Memory.objects.kept()
    return Memory.objects.kept().for_user(user)


def browse(user: User, wanted: MemoryFilter) -> MemoryPage:
    rows = narrow(listed_for(user, wanted), wanted)
    if wanted.query.strip():
        finding = find(user, rows, wanted.query)
        memories = [found.memory for found in finding.found]
        return MemoryPage(as_rows(memories, finding), is_degraded=finding.is_degraded, is_cut=len(memories) == HITS)
    rows = rows.select_related("agent", "type", "user").order_by("-updated_at", "-pk")
    if wanted.older_than is not None:
        moment, pk = wanted.older_than.updated_at, wanted.older_than.pk
        rows = rows.filter(Q(updated_at__lt=moment) | Q(updated_at=moment, pk__lt=pk))
    page = list(rows[: PAGE + 1])
    shown = page[:PAGE]
    place = Place(shown[-1].updated_at, shown[-1].pk) if len(page) > PAGE else None
    return MemoryPage(as_rows(shown), place)


def as_rows(memories: Sequence[Memory], finding: Finding | None = None) -> list[MemoryRow]:
    parts = {} if finding is None else {found.memory.pk: found.parts for found in finding.found}
    prefetch_related_objects(memories, "user")
    last = find_last_revisions(memories)
    return [MemoryRow(memory, last.get(memory.pk), parts.get(memory.pk, {})) for memory in memories]


def find_last_revisions(memories: Sequence[Memory]) -> dict[int, MemoryRevision]:
    """By memory; one row of each is read, however often it was heard again."""
    newest = MemoryRevision.objects.filter(memory=OuterRef("pk")).order_by("-at", "-pk").values("pk")[:1]
    rows = Memory.objects.filter(pk__in=[memory.pk for memory in memories]).order_by()
    keys = rows.annotate(last=Subquery(newest)).values_list("last", flat=True)
    return {revision.memory_id: revision for revision in MemoryRevision.objects.filter(pk__in=list(keys))}


def narrow(rows: MemoryQuerySet, wanted: MemoryFilter) -> MemoryQuerySet:
    if wanted.agent_id is not None:
        rows = rows.filter(agent_id=wanted.agent_id)
    if wanted.category:
        rows = rows.filter(category=wanted.category)
    match wanted.state:
        case "superseded":
            return rows.filter(valid_to__lte=timezone.now())
        case "disabled":
            return rows.filter(enabled=False)
        case "all":
            return rows
        case _:
            return rows.active()


def count_by_agent(user: User, wanted: MemoryFilter) -> Sequence[Mapping[str, Any]]:
    """Rows of agent (id, name, emoji), their active memories and how many of them are of each category."""
    counts = {category: Count("pk", filter=Q(category=category)) for category in Memory.Category.values}
    rows = listed_for(user, wanted).active().order_by()
    by_agent = rows.values("agent_id", "agent__name", "agent__emoji").annotate(total=Count("pk"), **counts)
    return list(by_agent.order_by("agent__name", "agent_id"))


def find_agents(user: User, wanted: MemoryFilter) -> AgentQuerySet:
    """Those of whom there are memories to look at, archived ones too."""
    return Agent.objects.filter(pk__in=listed_for(user, wanted).order_by().values("agent_id"))
