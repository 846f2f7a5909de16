"""What an export is made of: which memories, in which order."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Case, IntegerField, Q, Value, When

from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.models.types import Category
from xiajiao.models import User

JSONLINES, MARKDOWN = "jsonlines", "markdown"
SUFFIXES = {JSONLINES: "jsonl", MARKDOWN: "md"}
TYPES = {JSONLINES: "application/x-ndjson", MARKDOWN: "text/markdown; charset=utf-8"}
BATCH = 200


@dataclass(frozen=True)
class Plan:
    """Keys of memories in their order; `agents`: keys of agents that go along whether they remember anything or not."""

    format: str
    keys: array[int]
    agents: tuple[int, ...] = ()

    def batches(self, start: int = 0) -> Iterator[array[int]]:
        for place in range(start, len(self.keys), BATCH):
            yield self.keys[place : place + BATCH]

    def save(self, path: Path) -> None:
        with path.open("wb") as file:
            self.keys.tofile(file)


def load_plan(format: str, path: Path, agents: tuple[int, ...]) -> Plan:
    keys = array("q")
    keys.frombytes(path.read_bytes())
    return Plan(format, keys, agents)


def make_plan(format: str, rows: MemoryQuerySet, agents: tuple[int, ...] = ()) -> Plan:
    """The same memories stand in the same order everywhere: by age, and those of one moment by their ids.

    Eight bytes for each memory are held, and what comes or goes meanwhile changes no order.
    """
    order = ["created_at", "uid"]
    if format == MARKDOWN:
        places = [When(category=name, then=Value(place)) for place, name in enumerate(Category.values)]
        rows = rows.annotate(place=Case(*places, output_field=IntegerField()))
        order = ["agent__name", "agent__uid", "place", *order]
    return Plan(format, array("q", rows.order_by(*order).values_list("pk", flat=True).iterator()), agents)


def everything_of(user: User) -> tuple[MemoryQuerySet, tuple[int, ...]]:
    """What the person has, deleted a moment ago or not, and all their agents."""
    own = Q(user=user) | Q(user__isnull=True, agent__owner=user)
    return Memory.objects.filter(own), tuple(Agent.objects.owned_by(user).values_list("pk", flat=True))


def everything() -> tuple[MemoryQuerySet, tuple[int, ...]]:
    """Of everybody, for staff."""
    return Memory.objects.all(), tuple(Agent.objects.values_list("pk", flat=True))


def everything_with(agent: Agent, rows: MemoryQuerySet) -> tuple[MemoryQuerySet, tuple[int, ...]]:
    return rows.filter(agent=agent), (agent.pk,)
