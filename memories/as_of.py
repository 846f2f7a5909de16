"""What an agent believed of a person at a moment in the past, made out of rows and revisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Q

from memories.columns import ColumnChange, TypeNames, describe_changes, name_types, word_value
from memories.models import Agent, Memory, MemoryRevision
from memories.models.memories import MemoryQuerySet
from memories.models.types import Category
from memories.revising import read_columns
from xiajiao.models import User

PAGE = 100
# What a person sees of a belief; how it came to its end is told by its state.
TOLD = ("content", "title", "description", "category", "type_id", "tags", "importance", "pinned", "metadata")
STANDING = ("enabled", "deleted_at", "valid_from", "valid_to")


@dataclass(frozen=True)
class Belief:
    """`memory` is the row as it stands now, `columns` what it said then."""

    memory: Memory
    columns: Mapping[str, Any]
    types: TypeNames

    @property
    def content(self) -> str:
        return str(self.columns["content"])

    @property
    def title(self) -> str:
        return str(self.columns["title"])

    @property
    def category(self) -> str:
        return str(self.columns["category"])

    @property
    def type_name(self) -> str:
        return word_value("type_id", self.columns["type_id"], self.types)

    @cached_property
    def changes(self) -> list[ColumnChange]:
        """What it says otherwise now; not asked of a deleted one, whose present text nobody is to see."""
        if self.memory.deleted_at is not None:
            return []
        now = {name: getattr(self.memory, name) for name in TOLD}
        return describe_changes({name: self.columns[name] for name in TOLD}, now, self.types)


@dataclass(frozen=True)
class Group:
    """The beliefs of one category: how many there are, and those of the page that is shown."""

    category: str
    count: int
    beliefs: Sequence[Belief]


@dataclass(frozen=True)
class BeliefPage:
    """`number` of `last` pages, both from 1; `total`: how many beliefs there are on all of them.

    `count`: how many there are in all three categories.
    """

    groups: Sequence[Group]
    total: int
    number: int
    last: int

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)

    @property
    def before(self) -> int:
        return self.number - 1

    @property
    def after(self) -> int:
        return self.number + 1


@dataclass(frozen=True)
class Past:
    """What an agent held to be true of a person, and of everybody, at a moment.

    A memory that was removed for good has left no row and no revision: nothing tells of it. However many memories
    there are, it takes the same few queries, and no more than what is shown is read as a whole.
    """

    agent: Agent
    person: User
    moment: datetime

    def look(self, number: int = 1, category: str = "", words: str = "") -> BeliefPage:
        """Page `number` (from 1) of those in `category` that hold all `words`."""
        standing = self.find_standing(words.split())
        shown = [pk for pk, theirs in standing.items() if category in ("", theirs)]
        last = max(1, -(-len(shown) // PAGE))
        number = min(max(number, 1), last)
        beliefs = self.load(shown[(number - 1) * PAGE : number * PAGE])
        groups = [
            Group(name, list(standing.values()).count(name), [belief for belief in beliefs if belief.category == name])
            for name in Category.values
        ]
        return BeliefPage(groups, len(shown), number, last)

    def rows(self) -> MemoryQuerySet:
        return Memory.objects.for_user(self.person).filter(agent=self.agent, created_at__lte=self.moment)

    def find_standing(self, words: Sequence[str] = ()) -> dict[int, str]:
        """The category then of each memory that counted, by its key: by category, the newest first."""
        names = [*STANDING, "category", *(("title", "content") if words else ())]
        changed = self.read_later_changes(Q(before__has_any_keys=names))
        found = []
        for row in self.rows().order_by("-created_at", "-pk").values("pk", *names):
            columns = row | read_columns(changed.get(row["pk"], {}))
            if was_active(columns, self.moment) and holds(columns, words):
                found.append((row["pk"], columns["category"]))
        order = {category: place for place, category in enumerate(Category.values)}
        return dict(sorted(found, key=lambda each: order.get(each[1], len(order))))

    def load(self, keys: Sequence[int]) -> list[Belief]:
        """In the given order."""
        rows = Memory.objects.select_related("superseded_by").in_bulk(keys)
        changed, types = self.read_later_changes(Q(memory__in=keys)), name_types()
        return [Belief(rows[pk], rewind(rows[pk], changed.get(pk, {})), types) for pk in keys if pk in rows]

    def read_later_changes(self, narrowed: Q) -> dict[int, dict[str, Any]]:
        """By memory: columns that changed after the moment, as they stood at it and as JSON has them."""
        later = MemoryRevision.objects.filter(narrowed, memory__in=self.rows().order_by(), at__gt=self.moment)
        changed: dict[int, dict[str, Any]] = {}
        for memory_id, before in later.order_by("-pk").values_list("memory_id", "before").iterator(chunk_size=1000):
            changed.setdefault(memory_id, {}).update(before)
        return changed


def rewind(memory: Memory, changed: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: getattr(memory, name) for name in TOLD}
    return columns | read_columns({name: value for name, value in changed.items() if name in columns})


def was_active(columns: Mapping[str, Any], moment: datetime) -> bool:
    """By what was known then of when it holds."""
    if not columns["enabled"] or columns["deleted_at"] is not None:
        return False
    has_started = columns["valid_from"] is None or columns["valid_from"] <= moment
    return has_started and (columns["valid_to"] is None or columns["valid_to"] > moment)


def holds(columns: Mapping[str, Any], words: Sequence[str]) -> bool:
    text = f"{columns['title']}\n{columns['content']}".casefold() if words else ""
    return all(word.casefold() in text for word in words)
