"""Two weeks of a person's life in ten conversations, in Chinese and in English, and what is true at their end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

MONDAY = date(2026, 11, 2)


@dataclass(frozen=True)
class Fact:
    """What the model proposes. `quote` is left empty where the text itself stands near what was said."""

    content: str
    category: str = "semantic"
    type: str = "user"
    quote: str = ""
    subject: str = ""


@dataclass(frozen=True)
class Session:
    """`day` counts from MONDAY; `said` with what the agent answers. It is closed by hand, or falls silent."""

    day: int
    said: Sequence[tuple[str, str]]
    facts: Sequence[Fact]
    summary: str
    is_closed: bool = True

    @property
    def date(self) -> date:
        return MONDAY + timedelta(days=self.day)


@dataclass(frozen=True)
class TwoWeeks:
    """`replaced`: what was true for a while, until which day, and by what it was replaced.

    `decided`: pairs (old, new) of which the model says that the newer one counts.
    """

    language: str
    sessions: Sequence[Session]
    true: Mapping[str, str]
    replaced: Mapping[str, tuple[int, str]]
    headings: Mapping[str, str]
    questions: Sequence[str]
    decided: frozenset[tuple[str, str]] = frozenset()
    # The same without a model, as the rules word it.
    true_by_rules: Mapping[str, str] = field(default_factory=dict)
    replaced_by_rules: Mapping[str, tuple[int, str]] = field(default_factory=dict)
