"""The cards beside the list: each agent with the number of its memories by category, none of them counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.utils import timezone

from memories.filtering import MemoryFilter, list_bounds
from memories.models import Agent, Memory, MemoryTally
from memories.models.memories import MemoryQuerySet
from memories.models.types import Category
from xiajiao.models import User

# agent, category, how many
Figure = tuple[int, str, int]


@dataclass(frozen=True)
class Card:
    """`counts`: active memories by category."""

    agent: Agent
    counts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def make_cards(user: User, wanted: MemoryFilter) -> list[Card]:
    """Of the agents that the person talks to, and of others that have memories in the list; whatever else is chosen."""
    counts: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(Category.values, 0))
    for agent_id, category, count in count_active(user, wanted):
        counts[agent_id][category] += count
    shown = Q(pk__in=list(counts))
    if not wanted.is_of_others:
        shown |= Q(archived_at__isnull=True) & Q(pk__in=Agent.objects.for_user(user).values("pk"))
    return [Card(agent, counts[agent.pk]) for agent in Agent.objects.filter(shown).order_by("name", "pk")]


def count_active(user: User, wanted: MemoryFilter) -> Iterator[Figure]:
    """Those that hold at any time are tallied; the few that begin or end are asked for the hour."""
    for bound in list_bounds(user, wanted):
        tallies = MemoryTally.objects.filter(bound).order_by()
        yield from tallies.values_list("agent_id", "category").annotate(Sum("count"))
        for timed in list_timed(Memory.objects.kept().filter(bound, enabled=True)):
            yield from timed.order_by().values_list("agent_id", "category").annotate(Count("pk"))


def list_timed(rows: MemoryQuerySet) -> list[MemoryQuerySet]:
    """Active ones that are not tallied: those that will end, and those without an end that have begun."""
    now = timezone.now()
    begun = Q(valid_from__isnull=True) | Q(valid_from__lte=now)
    return [rows.filter(begun, valid_to__gt=now), rows.filter(valid_to__isnull=True, valid_from__lte=now)]
