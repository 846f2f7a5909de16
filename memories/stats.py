"""How many memories there are, by category, type and agent: one count for the model, the page and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from memories.models import Agent
from memories.models.memories import MemoryQuerySet


@dataclass(frozen=True)
class Stats:
    """The largest first, and by name where they are equal; `agents` by number."""

    categories: Mapping[str, int]
    types: Mapping[str, int]
    agents: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.categories.values())


def count_memories(scopes: Sequence[MemoryQuerySet]) -> Stats:
    """Of rows of which none is in two scopes."""
    categories: Counter[str] = Counter()
    types: Counter[str] = Counter()
    agents: Counter[int] = Counter()
    for rows in scopes:
        groups = rows.order_by().values_list("category", "type__key", "agent_id").annotate(count=Count("pk"))
        for category, key, agent_id, count in groups:
            categories[category] += count
            types[key] += count
            agents[agent_id] += count
    return Stats(rank(categories), rank(types), rank(agents))


def rank(counts: Counter[Any]) -> dict[Any, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def as_plain(stats: Stats) -> dict[str, Any]:
    """For JSON: `{"total": 2, "categories": {…}, "types": {…}, "agents": [{"id": 3, "name": "…", "count": 2}]}`."""
    names = dict(Agent.objects.filter(pk__in=stats.agents).values_list("pk", "name"))
    return {
        "total": stats.total,
        "categories": dict(stats.categories),
        "types": dict(stats.types),
        "agents": [{"id": pk, "name": names.get(pk, ""), "count": count} for pk, count in stats.agents.items()],
    }


def as_lines(stats: Stats) -> list[str]:
    """`total: 2`, `by category: semantic 2`, `by type: user 2`: as models read it."""
    lines = [f"total: {stats.total}"]
    for label, counts in (("category", stats.categories), ("type", stats.types)):
        lines.append(f"by {label}: " + (", ".join(f"{name} {count}" for name, count in counts.items()) or "none"))
    return lines
