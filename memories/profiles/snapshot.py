"""What of the profile files a conversation knows: read once when it begins, so that a provider's cache holds it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.template.loader import render_to_string
from django.utils import timezone

from memories.languages import as_agent_language
from memories.models import Agent, ProfileFile, ProfileKind
from memories.profiles.budgets import Trimmed, trim_to_budget, trim_to_newest
from memories.profiles.editing import make_key, read_file
from xiajiao.fencing import keep_between_tags

# Characters that are injected at the most: the source's R7; DAILY for each day.
BUDGETS = {ProfileKind.SOUL: 2000, ProfileKind.USER: 1400, ProfileKind.MEMORY: 2200, ProfileKind.DAILY: 1000}
DAYS = 2


@dataclass(frozen=True)
class Snapshot:
    """Each file within its budget; `days` of those that say something, the latest first."""

    soul: Trimmed
    user: Trimmed
    memory: Trimmed
    days: tuple[tuple[date, Trimmed], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.soul.text or self.user.text or self.memory.text or self.days)

    @property
    def length(self) -> int:
        """Characters that are injected."""
        files = [self.soul, self.user, self.memory, *(text for _day, text in self.days)]
        return sum(len(each.text) for each in files)


def trim_file(kind: str, text: str) -> Trimmed:
    """What of it is told: of a day its newest lines, of the others the sections from the start."""
    budget = BUDGETS[ProfileKind(kind)]
    return trim_to_newest(text, budget) if kind == ProfileKind.DAILY else trim_to_budget(text, budget)


def take_snapshot(agent: Agent, user_id: int, today: date | None = None) -> Snapshot:
    """As the files are now. A day begins at midnight where the person's clock stands."""
    today = today or timezone.localdate()
    soul, user, memory = (
        trim_file(kind, read_file(make_key(agent, kind, user_id)).text)
        for kind in (ProfileKind.SOUL, ProfileKind.USER, ProfileKind.MEMORY)
    )
    since = today - timedelta(days=DAYS - 1)
    rows = ProfileFile.objects.filter(agent=agent, user=user_id, kind=ProfileKind.DAILY, day__range=(since, today))
    days = [(row.day, trim_file(ProfileKind.DAILY, row.text)) for row in rows.order_by("-day")]
    return Snapshot(soul, user, memory, tuple((day, text) for day, text in days if day is not None and text.text))


def forget_person(snapshot: Snapshot) -> Snapshot:
    """Who the agent is alone."""
    nothing = trim_to_budget("", 0)
    return Snapshot(snapshot.soul, nothing, nothing, ())


def render_profile(snapshot: Snapshot, language: str) -> str:
    """The part of the system prompt that the files make; empty where they say nothing.

    They stand between tags that they can't close.
    """
    if snapshot.is_empty:
        return ""
    context = {
        "soul": keep_between_tags(snapshot.soul.text),
        "user": keep_between_tags(snapshot.user.text),
        "memory": keep_between_tags(snapshot.memory.text),
        "days": [(day, keep_between_tags(text.text)) for day, text in snapshot.days],
    }
    return render_to_string(f"prompts/memories/profile.{as_agent_language(language)}.txt", context).strip()
