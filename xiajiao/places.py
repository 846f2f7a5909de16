"""Where the words of a memory may lie: each app registers its places, and forgetting goes through all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

SHORTEST = 4  # characters


@dataclass(frozen=True)
class Forgotten:
    """What is to go: one memory, in all wordings that it ever had, and the messages that the person ticked.

    `user_id` None: it was shared by all users of the agent.
    """

    memory_id: int
    agent_id: int
    user_id: int | None
    wordings: tuple[str, ...]
    message_ids: frozenset[int] = frozenset()

    @property
    def telling(self) -> list[str]:
        """The wordings that can be told from any other text, the longest first."""
        return sorted((text for text in self.wordings if len(text.strip()) >= SHORTEST), key=len, reverse=True)


@dataclass(frozen=True)
class Place:
    """`count` says how much of it lies there; `scrub` removes it and says how much that was. Both may run twice.

    Places are scrubbed in the order of `rank`: those that are found through others before these. `is_outside`: not in
    the database, so after the transaction that the others are scrubbed in; it raises for nothing that is out of reach.
    """

    key: str
    name: Promise | str
    count: Callable[[Forgotten], int]
    scrub: Callable[[Forgotten], int]
    rank: int = 0
    is_outside: bool = False


_places: dict[str, Place] = {}


def register(place: Place) -> None:
    _places[place.key] = place


def all_places() -> list[Place]:
    """In the order in which they are scrubbed."""
    return sorted(_places.values(), key=lambda place: (place.is_outside, place.rank, place.key))
