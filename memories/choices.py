"""The filters in words: what each may be set to, and which are set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from memories.filtering import MemoryFilter, list_scopes
from memories.models import Agent, Memory, MemoryTag, MemoryType
from memories.paging import Order
from xiajiao.models import User

# Memories that tags are suggested from, and tags.
RECENT, SUGGESTED = 300, 40
STATES = {
    "active": _("Active"),
    "superseded": _("Replaced or over"),
    "disabled": _("Switched off"),
    "waiting": _("Not yet begun"),
    "all": _("Any state"),
}
LABELS = {
    "agent": _("Agent"),
    "person": _("Person"),
    "category": _("Category"),
    "type": _("Type"),
    "source": _("Source"),
    "state": _("State"),
    "tag": _("Tag"),
    "created_from": _("Created from"),
    "created_to": _("Created until"),
    "updated_from": _("Updated from"),
    "updated_to": _("Updated until"),
    "q": _("Search"),
}
ORDERS = {
    "-updated": _("Changed last"),
    "updated": _("Changed first"),
    "-created": _("Newest"),
    "created": _("Oldest"),
    "title": _("Title, A to Z"),
    "-title": _("Title, Z to A"),
    "-importance": _("Most important"),
    "importance": _("Least important"),
    "-recalls": _("Recalled most often"),
    "recalls": _("Recalled least often"),
    "-recalled": _("Recalled last"),
    "recalled": _("Not recalled for longest"),
}


@dataclass(frozen=True)
class Chip:
    """One filter that is set. `query`: the address without it."""

    name: str
    label: str
    value: str
    query: str


def list_chips(wanted: MemoryFilter) -> list[Chip]:
    usual = MemoryFilter()
    return [
        Chip(
            name,
            str(LABELS[name]),
            word_value(name, value),
            replace(wanted, **{name: getattr(usual, name)}).as_query(),
        )
        for name, value in wanted.chosen.items()
    ]


def word_value(name: str, value: Any) -> str:
    match name:
        case "agent":
            return find_name(Agent, "name", pk=value)
        case "type":
            found = MemoryType.objects.filter(key=value).first()
            return found.display_name if found else value
        case "person":
            return gettext("Everybody's") if value == "all" else find_name(User, "username", pk=value)
        case "category":
            return str(Memory.Category(value).label)
        case "source":
            return str(Memory.Source(value).label)
        case "state":
            return str(STATES[value])
        case "q":
            return pgettext("quoted text", "“%(text)s”") % {"text": value}
        case _:
            return str(value)


def list_orders(wanted: MemoryFilter) -> list[tuple[str, str]]:
    """As the address says them; the usual one needs no saying, and of a search that is the nearest first."""
    usual = str(Order())
    if wanted.q:
        return [("", gettext("Nearest first")), *((name, str(label)) for name, label in ORDERS.items())]
    return [("" if name == usual else name, str(label)) for name, label in ORDERS.items()]


def suggest_tags(user: User, wanted: MemoryFilter) -> list[str]:
    """Those that recent memories have most often."""
    tags: Counter[str] = Counter()
    for rows in list_scopes(user, wanted):
        recent = rows.order_by("-updated_at", "-pk").values("pk")[:RECENT]
        tags.update(MemoryTag.objects.filter(memory__in=recent).values_list("tag", flat=True))
    return [tag for tag, _count in tags.most_common(SUGGESTED)]


def find_name(model: Any, column: str, **condition: Any) -> str:
    """The number itself of what is not there."""
    name = model.objects.filter(**condition).values_list(column, flat=True).first()
    return str(name if name is not None else condition["pk"])


def list_people(user: User) -> Iterator[tuple[str, str]]:
    """Whose memories staff may ask for."""
    if user.is_staff:
        others = User.objects.exclude(pk=user.pk).order_by("username").values_list("pk", "username")
        yield from ((str(pk), name) for pk, name in others)
