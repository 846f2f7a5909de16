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

# On a page of each list; older ones are reached from the last of them.
DAYS, VERSIONS = 60, 20


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


@dataclass(frozen=True)
class Days:
    """The latest first. `before`: they are those before that day; `older`: the day before which there are more."""

    shown: Sequence[ProfileFile] = ()
    before: date | None = None
    older: date | None = None


def list_days(agent: Agent, user_id: int, before: date | None = None) -> Days:
    rows = ProfileFile.objects.filter(agent=agent, user=user_id, kind=ProfileKind.DAILY).exclude(text="")
    if before is not None:
        rows = rows.filter(day__lt=before)
    found = list(rows.order_by("-day")[: DAYS + 1])
    return Days(found[:DAYS], before, found[DAYS - 1].day if len(found) > DAYS else None)


def read_day(text: str) -> date | None:
    """None for what is no day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class Change:
    revision: ProfileRevision
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Changes:
    """The latest first. `below`: they are those below that version; `older`: the version below which there are more."""

    shown: Sequence[Change] = ()
    below: int | None = None
    older: int | None = None


def list_changes(file: ProfileFile, below: int | None) -> Changes:
    if file.pk is None:
        return Changes()
    rows = file.revisions.select_related("user")
    if below is not None:
        rows = rows.filter(version__lt=below)
    found = list(rows[: VERSIONS + 1])
    shown = [Change(row, diff_words(row.before, row.after)) for row in found[:VERSIONS]]
    return Changes(shown, below, found[VERSIONS - 1].version if len(found) > VERSIONS else None)
