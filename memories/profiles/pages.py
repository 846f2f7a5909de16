"""A profile file as its page shows it: its sections, what of it is injected, what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memories.diffs import Piece, diff_words
from memories.models import Agent, ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.budgets import Trimmed
from memories.profiles.sections import name_sections, split_sections
from memories.profiles.snapshot import trim_file

# Days in the list; older ones are reached from the last of them.
DAYS = 60


@dataclass(frozen=True)
class Card:
    """A section at its place; `is_injected`: whole, in what a conversation is told."""

    number: int
    name: str
    heading: str
    body: str
    is_injected: bool


@dataclass(frozen=True)
class Meter:
    """How much of the budget the file fills."""

    trimmed: Trimmed

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.trimmed.length / self.trimmed.budget))

    @property
    def is_over(self) -> bool:
        return not self.trimmed.is_whole


def measure(kind: str, text: str) -> Meter:
    return Meter(trim_file(kind, text))


def make_cards(text: str, trimmed: Trimmed) -> list[Card]:
    sections = split_sections(text)
    names = name_sections(sections)
    cut = set(trimmed.cut)
    return [
        Card(number, names[number], section.heading, section.body.strip("\n"), names[number] not in cut)
        for number, section in enumerate(sections)
    ]


def list_days(agent: Agent, user_id: int, before: date | None = None) -> Sequence[ProfileFile]:
    """The latest first; one more than are shown."""
    rows = ProfileFile.objects.filter(agent=agent, user=user_id, kind=ProfileKind.DAILY).exclude(text="")
    if before is not None:
        rows = rows.filter(day__lt=before)
    return list(rows.order_by("-day")[: DAYS + 1])


@dataclass(frozen=True)
class Change:
    revision: ProfileRevision
    pieces: Sequence[Piece]


def list_changes(file: ProfileFile, below: int | None = None, most: int = 20) -> list[Change]:
    """The latest first, of at most so many versions below one."""
    if file.pk is None:
        return []
    rows = file.revisions.select_related("user")
    if below is not None:
        rows = rows.filter(version__lt=below)
    return [Change(row, diff_words(row.before, row.after)) for row in rows[:most]]
