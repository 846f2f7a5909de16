"""Requests with a body that nobody here could want, turned away before it fills the disk.

Django writes the whole body of a request to a file before it asks who sends it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class BodyLimit:
    """An ASGI application around another: `most` bytes of a body are taken."""

    def __init__(self, application: Application, most: int) -> None:
        self.application = application
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and read_length(scope) > self.most:
            await refuse(send)
            return
        await self.application(scope, self.count(receive), send)

    def count(self, receive: Receive) -> Receive:
        """One that was not announced ends as if its sender had left."""
        received = 0

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= self.most else {"type": "http.disconnect"}

        return receive_some


def read_length(scope: Scope) -> int:
    """What the request announces; 0 where it says nothing."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


async def refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b"This is more than Xiajiao takes at once.\n"})
