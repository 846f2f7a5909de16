"""Page by page through memories in any order: a page begins behind a place, so that no row before it is counted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from memories.models import Memory
from memories.models.listing import ORDERS
from memories.models.memories import MemoryQuerySet

EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
MOMENTS = {"updated", "created", "recalled"}
# The longest are titles; moments until the year 2500 or so.
PLACE = re.compile(r"([0-9a-f]{0,96})-([0-9]{1,18})")


@dataclass(frozen=True)
class Order:
    """`name` is one of ORDERS. Equals are told apart by their number; what was never recalled counts as least."""

    name: str = "updated"
    is_descending: bool = True

    @property
    def column(self) -> str:
        return ORDERS[self.name]

    @property
    def has_blanks(self) -> bool:
        return self.name == "recalled"

    @property
    def reversed(self) -> Order:
        return replace(self, is_descending=not self.is_descending)

    def __str__(self) -> str:
        return f"-{self.name}" if self.is_descending else self.name

    @classmethod
    def read(cls, text: str) -> Order:
        """`-updated`, `title`; the usual order for anything else."""
        name = text.removeprefix("-")
        return cls(name, text.startswith("-")) if name in ORDERS else cls()


@dataclass(frozen=True)
class Place:
    """A row of the list by what it is sorted by and its number: whatever changes meanwhile moves no page."""

    value: Any
    pk: int

    def __str__(self) -> str:
        value = (self.value - EPOCH) // MICROSECOND if isinstance(self.value, datetime) else self.value
        return f"{'' if value is None else value}-{self.pk}"

    @classmethod
    def read(cls, text: str, order: Order) -> Place | None:
        """None where the text is no place of this order."""
        match = PLACE.fullmatch(text)
        value = read_value(match[1], order) if match else ...
        return cls(value, int(match[2])) if match and value is not ... else None


def read_value(text: str, order: Order) -> Any:
    """An ellipsis for what is none."""
    if order.name == "title":
        return text
    if not text:
        return None if order.has_blanks else ...
    if not (text.isdecimal() and len(text) <= 16):
        return ...
    number = int(text)
    if order.name in MOMENTS:
        return EPOCH + number * MICROSECOND
    return number if number < 2**31 else ...


@dataclass(frozen=True)
class Paging:
    """In which order, and behind or before which place; from the beginning where neither is said.

    `is_chosen`: a person asked for the order, so that it goes before what a search finds best.
    """

    order: Order = Order()
    after: Place | None = None
    before: Place | None = None
    is_chosen: bool = False

    @property
    def sort(self) -> str:
        """As the address says the order; empty where it needs no saying."""
        return str(self.order) if self.is_chosen else ""


def read_paging(values: Mapping[str, str]) -> Paging:
    order = Order.read(values.get("sort", ""))
    after = Place.read(values.get("after", ""), order)
    before = None if after else Place.read(values.get("before", ""), order)
    return Paging(order, after, before, is_chosen=values.get("sort", "") == str(order))


def place_of(memory: Memory, order: Order) -> Place:
    return Place(getattr(memory, order.column), memory.pk)


def read_places(scopes: Sequence[MemoryQuerySet], paging: Paging, most: int) -> list[Place]:
    """The places of at most `most` rows, in order: those behind `after`, or the nearest before `before`.

    Each scope is asked for no more than that; together they are the list, and no row is in two of them.
    """
    order = paging.order.reversed if paging.before else paging.order
    place = paging.before or paging.after
    found = [each for rows in scopes for each in read_scope(rows, order, place, most)]
    found.sort(key=rank, reverse=order.is_descending)
    chosen = found[:most]
    return chosen[::-1] if paging.before else chosen


def rank(place: Place) -> tuple[bool, Any, int]:
    return place.value is not None, 0 if place.value is None else place.value, place.pk


def read_scope(rows: MemoryQuerySet, order: Order, place: Place | None, most: int) -> list[Place]:
    sign = "-" if order.is_descending else ""
    found: list[Place] = []
    for part in parts_behind(rows, order, place):
        keys = part.order_by(f"{sign}{order.column}", f"{sign}pk").values_list(order.column, "pk")
        found += [Place(*key) for key in keys[: most - len(found)]]
        if len(found) >= most:
            break
    return found


def parts_behind(rows: MemoryQuerySet, order: Order, place: Place | None) -> list[MemoryQuerySet]:
    """What comes behind a place, in parts that each are one range of an index: its equals, and what lies beyond."""
    column, further = order.column, "lt" if order.is_descending else "gt"
    known, blank = rows.filter(**{f"{column}__isnull": False}), rows.filter(**{f"{column}__isnull": True})
    if place is None:
        ordered = [known, blank] if order.is_descending else [blank, known]
        return ordered if order.has_blanks else [rows]
    if place.value is None:
        equals = blank.filter(**{f"pk__{further}": place.pk})
        return [equals] if order.is_descending else [equals, known]
    equals = rows.filter(**{column: place.value, f"pk__{further}": place.pk})
    beyond = rows.filter(**{f"{column}__{further}": place.value})
    return [equals, beyond, blank] if order.has_blanks and order.is_descending else [equals, beyond]
