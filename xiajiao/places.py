"""Where the words of a memory may lie: each app registers its places, and forgetting goes through all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

SHORTEST = 4  # bytes: of Chinese two characters
MARK = "[forgotten]"


class Kind(StrEnum):
    """MEMORY: its wordings, and what says the same. TOPIC: words of which everything that holds them all goes. STRUCK:
    texts in the place of which a mark is put, word for word."""

    MEMORY = "memory"
    TOPIC = "topic"
    STRUCK = "struck"


@dataclass(frozen=True)
class Forgotten:
    """What is to go: one memory, in all wordings that it ever had, and the messages that the person ticked.

    `user_id` None: it was shared by all users of the agent. `memory_id` 0: no memory goes, texts alone. `mark` takes
    the place of texts. `last_message_id`: the newest message that there is.
    `lines`: texts that were made of what goes, and go where each is all that a line says.
    """

    memory_id: int
    agent_id: int
    user_id: int | None
    wordings: tuple[str, ...]
    message_ids: frozenset[int] = frozenset()
    mark: str = MARK
    last_message_id: int = 0
    lines: tuple[str, ...] = ()
    kind: Kind = Kind.MEMORY

    @property
    def only_agent_id(self) -> int:
        """The agent with which alone it is looked for; 0: with all that the person talks to."""
        return self.agent_id if self.user_id is None or self.kind == Kind.TOPIC else 0

    @property
    def telling(self) -> list[str]:
        """The wordings that can be told from any other text, the longest first."""
        return sorted((text for text in self.wordings if len(text.strip().encode()) >= SHORTEST), key=len, reverse=True)


@dataclass(frozen=True)
class Place:
    """`count` says how much of it lies there; `scrub` removes it and says how much that was. Both may run twice.

    Places are scrubbed in the order of `rank`: those that are found through others before these. `is_outside`: not in
    the database, so after the transaction that the others are scrubbed in; it raises for nothing that is out of reach.
    `strike` puts the mark in the place of the wordings in texts that stay, and says in how many: of places with copies.
    """

    key: str
    name: Promise | str
    count: Callable[[Forgotten], int]
    scrub: Callable[[Forgotten], int]
    rank: int = 0
    is_outside: bool = False
    strike: Callable[[Forgotten], int] | None = None


_places: dict[str, Place] = {}


def register(place: Place) -> None:
    _places[place.key] = place


def all_places() -> list[Place]:
    """In the order in which they are scrubbed."""
    return sorted(_places.values(), key=lambda place: (place.is_outside, place.rank, place.key))


def strike_out(
    agent_id: int, user_id: int | None, texts: Sequence[str], mark: str, last_message_id: int = 0
) -> dict[str, int]:
    """Put the mark in the place of these texts in all copies outside the memories themselves: in what turns recalled,
    noted, were sent and called. Messages stay as they are. In the caller's transaction; in how many texts, by place.
    """
    struck = Forgotten(0, agent_id, user_id, tuple(texts), mark=mark, last_message_id=last_message_id, kind=Kind.STRUCK)
    return strike(struck)


def strike(struck: Forgotten, spared: Collection[str] = ()) -> dict[str, int]:
    """In all copies but those in the places with these keys; see `strike_out`."""
    places = [place for place in all_places() if place.key not in spared]
    return {place.key: place.strike(struck) for place in places if place.strike is not None}
