"""How often memories were recalled, and how well they fitted: what `chat` knows and hands in as plain data.

A memory's own counters say how often it was recalled, but neither in how many answers it was not, nor how near it was
to what was asked; so nothing is judged by them alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

# An agent, and the person it answered; None: all its users together, for the memories that they share.
Pair = tuple[int, int | None]
# Of the latest answers so many are looked at; fewer say nothing.
ANSWERS, FEWEST_ANSWERS = 200, 20


@dataclass(frozen=True)
class RecentRecalls:
    """`moments`: when each of the latest answers was given, newest first.

    `relevance`: by memory, one figure for each of these answers that it was found for, not for those into which it went
    as a rule or pinned; None where the embedder was down.
    """

    moments: Sequence[datetime] = ()
    relevance: Mapping[int, Sequence[float | None]] = field(default_factory=dict)


class RecallReader(Protocol):
    def list_pairs(self) -> Sequence[Pair]:
        """Those with conversations."""

    def read_recent(self, pair: Pair, answers: int) -> RecentRecalls:
        """At most so many answers."""

    def read_texts(self, message_ids: Sequence[int]) -> list[str]:
        """What was said in these messages, as far as they are still there."""


class Registry:
    """The one reader, where there is a chat."""

    def __init__(self) -> None:
        self.reader: RecallReader | None = None

    def register(self, reader: RecallReader) -> None:
        self.reader = reader


_registry = Registry()
register = _registry.register


def get_reader() -> RecallReader | None:
    return _registry.reader
