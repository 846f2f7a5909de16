"""Forgetting for good, for who may not know the chat: that knows all that was said, and hands down the way to do it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memories.models import Memory
from xiajiao.models import User


@dataclass(frozen=True)
class Proposal:
    """What would go: memories, and as many messages of the person that say it. `topic`: what the person calls it;
    `agent_id`: with this agent alone."""

    memories: Sequence[Memory]
    message_ids: Collection[int] = ()
    topic: str = ""
    agent_id: int | None = None


@dataclass(frozen=True)
class Receipt:
    """How much was removed, by the name of the place; `empty`: places where nothing was found.

    `backups`: copies of the database that it is not gone from. `messages_left`: so many that say it stay.
    """

    removed: Mapping[str, int]
    empty: Sequence[str]
    messages_left: int = 0
    backups: int = 0


class Forgetter(Protocol):
    def propose(self, user: User, topic: str, memory_ids: Collection[int], agent_id: int | None) -> Proposal:
        """What holds the words of the topic, and these memories, as far as they are the person's to forget."""

    def forget(self, user: User, proposal: Proposal, with_messages: bool) -> Receipt:
        """All of it, now and for good; the files of the database too."""


class Registry:
    """The one way to do it, where there is a chat."""

    def __init__(self) -> None:
        self.forgetter: Forgetter | None = None

    def register(self, forgetter: Forgetter) -> None:
        self.forgetter = forgetter


_registry = Registry()
register = _registry.register


def get_forgetter() -> Forgetter | None:
    return _registry.forgetter
