"""How many memories a filter leaves, said honestly without counting them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memories.browsing import MemoryPage
from memories.cards import Card
from memories.choices import Chip, list_chips
from memories.filtering import MemoryFilter, list_scopes, narrow
from memories.finding import find
from memories.models.memories import MemoryQuerySet
from xiajiao.models import User

# Past it, "more than" is said.
COUNTED = 1000


@dataclass(frozen=True)
class Total:
    """`is_more`: than `count`."""

    count: int
    is_more: bool = False


@dataclass(frozen=True)
class Hiding:
    """One filter, and how many there would be without it."""

    chip: Chip
    total: Total


def count_found(user: User, wanted: MemoryFilter, page: MemoryPage, cards: Sequence[Card]) -> Total:
    """Of all pages; of a search, what it shows."""
    if wanted.q or not (page.previous or page.next):
        return Total(len(page.rows), page.is_cut)
    if set(wanted.chosen) <= {"agent", "person", "category"}:
        return Total(sum(count_card(card, wanted) for card in cards))
    return count_some([narrow(rows, wanted) for rows in list_scopes(user, wanted)])


def count_card(card: Card, wanted: MemoryFilter) -> int:
    if wanted.agent not in {None, card.agent.pk}:
        return 0
    return card.counts[wanted.category] if wanted.category else card.total


def count_some(scopes: Sequence[MemoryQuerySet]) -> Total:
    count = sum(rows.order_by()[: COUNTED + 1].count() for rows in scopes)
    return Total(min(count, COUNTED), count > COUNTED)


def find_hiding(user: User, wanted: MemoryFilter) -> list[Hiding]:
    """Where nothing is left: those filters without which there would be something."""
    found = [Hiding(chip, count_without(user, wanted, chip.name)) for chip in list_chips(wanted)]
    return [hiding for hiding in found if hiding.total.count]


def count_without(user: User, wanted: MemoryFilter, name: str) -> Total:
    other = replace(wanted, **{name: getattr(MemoryFilter(), name)})
    if other.q:
        finding = find(user, other)
        return Total(len(finding.found), finding.is_cut)
    return count_some([narrow(rows, other) for rows in list_scopes(user, other)])
