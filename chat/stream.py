"""The log of a turn in the broker, from which any number of pages may follow it.

`turn:<message id>` is a stream whose entries are the turn's events (chat/events.py), the first a TurnStarted, the
last a TurnFinished. Text is batched before it comes here, some 30 ms to an entry. Each second the partial answer and
the id of the last entry are saved in the message's row, in one UPDATE. The row is the truth: the answer is finished
and saved whether or not somebody follows it, or the broker is there.

What a page sees (chat/views/following.py) is HTML over server-sent events, in the form of htmx 4's hx-sse:

- The page connects with `hx-sse:connect="…/stream/"` and `hx-sse:close="turn-finished"` on `#message-<id>`.
- Each message is one or more `<hx-partial>`s; its `id` is the stream's. Closed blocks of the markdown are appended to
  `#message-<id>-blocks` once, the open block at the end stands in `#message-<id>-open` and is sent again as it grows,
  some ten times a second at most. Tool calls are appended between the blocks, and replaced when they return.
- A connection begins with a snapshot of all that has been said, which replaces both; so a page may show the row's
  partial meanwhile and never sees a piece twice. With `Last-Event-ID`, or `?after=<id>`, and that entry still in the
  stream, only what came after it is sent.
- At the end comes the event `turn-ended`, heard on `#message-<id>` while it still stands; the last message replaces
  that by the finished fragment, which takes htmx's connection along; the event `turn-finished` closes all others.
- When the stream has expired, was trimmed or the broker is gone, the row answers: a snapshot whenever it has grown.
  Each entry tells how long the answer was before it, so that a stream which lost a piece is known for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, NamedTuple

import redis
from django.conf import settings

from chat.events import Streamed, TurnFinished, decode_event, encode_event
from xiajiao.llm.base import TextDelta
from xiajiao.once import once

logger = logging.getLogger(__name__)

LONGEST = 20_000  # entries; about ten minutes of the fastest stream
KEPT_RUNNING, KEPT_FINISHED = 60 * 60, 5 * 60  # seconds
PATIENCE = 2.0  # seconds that a turn waits for a broker which doesn't answer


class Entry(NamedTuple):
    """An event at its place; `at`: so many characters of the answer had been written before it."""

    position: str
    event: Streamed
    at: int


def stream_key(answer_id: int) -> str:
    return f"turn:{answer_id}"


@once
def broker() -> redis.Redis:
    """One pool of connections for the threads of this process."""
    return redis.Redis.from_url(
        settings.REDIS_URL, decode_responses=True, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
    )


class TurnStream:
    """The writing end. A broker that fails costs the followers their pace, never the turn its answer."""

    def __init__(self, answer_id: int) -> None:
        self.key = stream_key(answer_id)
        self.position = ""
        self.is_broken = False
        self.length = 0

    def append(self, event: Streamed) -> None:
        """After a failure only the end is told: a stream with a hole would show a text with a hole."""
        is_last = isinstance(event, TurnFinished)
        fields = encode_event(event) | {"at": str(self.length)}
        self.length += len(event.text) if isinstance(event, TextDelta) else 0
        if self.is_broken and not is_last:
            return
        try:
            pipeline = broker().pipeline(transaction=False)
            pipeline.xadd(self.key, fields, maxlen=LONGEST, approximate=True)  # type: ignore[arg-type]
            pipeline.expire(self.key, KEPT_FINISHED if is_last else KEPT_RUNNING)
            self.position = pipeline.execute()[0]
        except redis.RedisError as error:
            if not self.is_broken:
                logger.warning("%s is no longer written: %s", self.key, error)
            self.is_broken = True


def read_after(answer_id: int, position: str) -> list[Entry]:
    """The entries after a position ("" for all); none where the broker is gone."""
    try:
        entries = broker().xrange(stream_key(answer_id), min=f"({position}" if position else "-")
    except redis.RedisError:
        return []
    return decode_entries(entries)


def discard_streams(answer_ids: Iterable[int]) -> None:
    """A broker that is gone has them no more, or lets them expire within the hour."""
    keys = [stream_key(pk) for pk in answer_ids]
    try:
        if keys:
            broker().delete(*keys)
    except redis.RedisError as error:
        logger.warning("Streams of turns stay until they expire: %s", error)


def decode_entries(entries: Any) -> list[Entry]:
    """What redis-py gives for a stream, whose types leave open too much."""
    return [Entry(position, decode_event(fields), int(fields["at"])) for position, fields in entries]
