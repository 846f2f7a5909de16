"""A body that is too large is refused before it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from xiajiao.bodies import BodyLimit, Receive, Send

Messages = list[Mapping[str, Any]]


async def read_all(scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
    """Says how many bytes came; 499 where the sender left."""
    count = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            await send({"type": "http.response.start", "status": 499, "count": count})
            return
        count += len(message["body"])
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "count": count})


def post(pieces: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[int, int]:
    """The status, and how many pieces were asked for."""
    sent: Messages = []
    waiting = list(pieces)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    application = BodyLimit(read_all, most=10)
    asyncio.run(application({"type": "http", "headers": headers}, receive, send))
    return sent[0]["status"], len(pieces) - len(waiting)


def test_what_fits_comes_through() -> None:
    assert post([b"12345", b"67890"], [(b"content-length", b"10")]) == (200, 2)


def test_what_is_announced_as_too_large_is_not_read() -> None:
    assert post([b"12345", b"678901"], [(b"content-length", b"11")]) == (413, 0)


def test_what_turns_out_too_large_ends_there() -> None:
    assert post([b"12345", b"678901", b"x", b"y"], []) == (499, 2)


def test_a_length_that_is_none_counts_as_not_said() -> None:
    assert post([b"1"], [(b"content-length", b"many")]) == (200, 1)
