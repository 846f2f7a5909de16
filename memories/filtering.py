"""Which memories are meant: what a person chose in the panel, as an address says it and as a query.

The contract of the list, of "all that match" and of the export: `read_filter` makes a MemoryFilter of an address,
`as_query` an address of it, and `find_matching` the rows; without a keyword search, these are
`narrow(listed_for(user, wanted), wanted)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memories.models import Agent, Memory, MemoryTag
from memories.models.memories import MemoryQuerySet
from xiajiao.models import User
from xiajiao.texts import clean

STATES = ("active", "superseded", "disabled", "waiting", "all")
DAYS = ("created_from", "created_to", "updated_from", "updated_to")
FEW = 2000
LONGEST_QUERY, LONGEST_WORD = 200, 50
# Days that no time zone moves over the edge of what a date can be.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 1, 1)


@dataclass(frozen=True)
class MemoryFilter:
    """Each field is a parameter of the address; its default leaves nothing out.

    `person`: "" one's own (and what an agent's users share), "all" everybody's, or a person's id; staff alone may
    choose another than "". `type` is a memory type's key. The days are of the site's time zone, both ends included.
    `q` is the keyword search: by meaning and words, so that no condition of a query says it.
    """

    agent: int | None = None
    person: str = ""
    category: str = ""
    type: str = ""
    source: str = ""
    state: str = "active"
    tag: str = ""
    created_from: date | None = None
    created_to: date | None = None
    updated_from: date | None = None
    updated_to: date | None = None
    q: str = ""

    @property
    def chosen(self) -> dict[str, Any]:
        """The parameters that are not at their default, by name."""
        values = {each.name: (getattr(self, each.name), each.default) for each in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}

    @property
    def is_narrow(self) -> bool:
        """Whether there may be memories that it leaves out."""
        return bool(set(self.chosen) - {"person"}) or self.person not in {"", "all"}

    @property
    def is_choosy(self) -> bool:
        """Whether it leaves out more than other agents and people."""
        return bool(set(self.chosen) - {"person", "agent", "q"})

    @property
    def is_of_others(self) -> bool:
        """Whether staff look at more or other than their own."""
        return bool(self.person)

    def as_query(self, **others: str) -> str:
        """`agent=3&state=all`, without the question mark; empty where nothing is chosen. `read_filter` reads it.

        `others`: parameters that are no filters, such as the order; empty ones are left out.
        """
        said = {name: value for name, value in others.items() if value}
        return urlencode({name: str(value) for name, value in self.chosen.items()} | said)


def read_filter(values: Mapping[str, str], user: User) -> MemoryFilter:
    """From an address (`request.GET`, or `dict(parse_qsl(query))`); what makes no sense, or is not the person's to
    ask, counts as not said."""
    days = {name: read_day(values.get(name, "")) for name in DAYS}
    return MemoryFilter(
        agent=read_id(values.get("agent", "")),
        person=read_person(values.get("person", "")) if user.is_staff else "",
        category=one_of(values.get("category", ""), Memory.Category.values),
        type=read_word(values.get("type", "")),
        source=one_of(values.get("source", ""), Memory.Source.values),
        state=one_of(values.get("state", ""), STATES) or "active",
        tag=read_word(values.get("tag", "")),
        q=clean(values.get("q", ""))[:LONGEST_QUERY].strip(),
        **days,
    )


def read_id(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def read_person(text: str) -> str:
    number = read_id(text)
    return text if text == "all" else "" if number is None else str(number)


def read_word(text: str) -> str:
    return clean(text)[:LONGEST_WORD].strip()


def one_of(text: str, choices: Any) -> str:
    return text if text in choices else ""


def read_day(text: str) -> date | None:
    """`2026-05-31`; None for what is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def seen_by(user: User) -> MemoryQuerySet:
    """What the person may open: their own and shared memories; staff may open everybody's."""
    kept = Memory.objects.kept()
    return kept if user.is_staff else kept.for_user(user)


def listed_for(user: User, wanted: MemoryFilter) -> MemoryQuerySet:
    """Staff too see other people's memories only where they ask for them."""
    if user.is_staff and wanted.person == "all":
        return Memory.objects.kept()
    if user.is_staff and wanted.person:
        return Memory.objects.kept().filter(user_id=int(wanted.person))
    return Memory.objects.kept().for_user(user)


def list_bounds(user: User, wanted: MemoryFilter) -> list[Q]:
    """Whose memories `listed_for` lists, of memories or their tallies, in parts that each are a range of an index:
    one condition with an "or" would have all of them read and sorted."""
    if user.is_staff and wanted.person:
        return [Q() if wanted.person == "all" else Q(user=int(wanted.person))]
    usable = Agent.objects.for_user(user).order_by().values("pk")
    return [Q(user=user), Q(user__isnull=True, agent__in=usable)]


def list_scopes(user: User, wanted: MemoryFilter) -> list[MemoryQuerySet]:
    """The rows of `listed_for`, in those parts."""
    return [Memory.objects.kept().filter(bound) for bound in list_bounds(user, wanted)]


def narrow(rows: MemoryQuerySet, wanted: MemoryFilter) -> MemoryQuerySet:
    """All but the keyword search."""
    if wanted.agent is not None:
        rows = rows.filter(agent_id=wanted.agent)
    if wanted.category:
        rows = rows.filter(category=wanted.category)
    if wanted.type:
        rows = rows.filter(type__key=wanted.type)
    if wanted.source:
        rows = rows.filter(source=wanted.source)
    if wanted.tag:
        rows = rows.filter(has_tag(wanted.tag))
    rows = rows.filter(between("created_at", wanted.created_from, wanted.created_to))
    rows = rows.filter(between("updated_at", wanted.updated_from, wanted.updated_to))
    return in_state(rows, wanted.state)


def has_tag(tag: str) -> Q:
    """A rare tag is where a query begins; a common one is looked up for row after row, until a page is full."""
    tagged = MemoryTag.objects.filter(tag=tag)
    is_rare = tagged[: FEW + 1].count() <= FEW
    return Q(pk__in=tagged.values("memory")) if is_rare else Q(Exists(tagged.filter(memory=OuterRef("pk"))))


def in_state(rows: MemoryQuerySet, state: str) -> MemoryQuerySet:
    now = timezone.now()
    match state:
        case "superseded":
            return rows.filter(valid_to__lte=now)
        case "disabled":
            return rows.filter(enabled=False)
        case "waiting":
            return rows.filter(valid_from__gt=now)
        case "all":
            return rows
        case _:
            return rows.active()


def between(column: str, first: date | None, last: date | None) -> Q:
    condition = Q()
    if first is not None:
        condition &= Q(**{f"{column}__gte": start_of(first)})
    if last is not None:
        condition &= Q(**{f"{column}__lt": start_of(last + timedelta(days=1))})
    return condition


def start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
