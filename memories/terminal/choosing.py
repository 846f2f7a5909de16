"""Whom and what a command means: people, agents, memories."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from memories.filtering import MemoryFilter
from memories.models import Agent, MemoryType
from xiajiao.terminal import find_user


def find_agent(word: str, usable: Any = None) -> Agent:
    """By name or number. Raises CommandError."""
    rows = Agent.objects.all() if usable is None else usable
    rows = rows.filter(pk=int(word)) if word.isdecimal() else rows.filter(name=word)
    found = list(rows[:2])
    if len(found) != 1:
        said = _("There are several agents %(name)s; give its number.") if found else _("There is no agent %(name)s.")
        raise CommandError(said % {"name": repr(word)})
    agent: Agent = found[0]
    return agent


def read_wanted(options: dict[str, Any], q: str = "") -> MemoryFilter:
    """Of everybody, unless it is narrowed down. Raises CommandError."""
    key = options["type"] or ""
    if key and not MemoryType.objects.filter(key=key).exists():
        known = ", ".join(MemoryType.objects.values_list("key", flat=True))
        raise CommandError(f"There is no type {key!r}: {known}.")
    return MemoryFilter(
        agent=find_agent(options["agent"]).pk if options["agent"] else None,
        person=str(find_user(options["user"]).pk) if options["user"] else "all",
        category=options["category"] or "",
        type=key,
        state=options.get("state") or "active",
        q=q,
    )


def read_number(word: str) -> int | None:
    """`12` or `M12`; None for another word."""
    digits = word.removeprefix("M")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else None
