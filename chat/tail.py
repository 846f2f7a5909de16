"""The reading end of a turn's stream, for the one view that is async."""

from __future__ import annotations

import asyncio
from typing import Any

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from chat.stream import Entry, decode_entries, stream_key

PATIENCE = 5.0


class StreamTail:
    """One connection of its own, since it waits on it. A broker that is gone looks like a stream that is silent."""

    def __init__(self, answer_id: int) -> None:
        self.key = stream_key(answer_id)
        self.redis: Redis = Redis.from_url(
            settings.REDIS_URL, decode_responses=True, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )

    async def read_all(self) -> list[Entry]:
        try:
            return decode_entries(await self.redis.xrange(self.key))
        except RedisError:
            return []

    async def read_after(self, position: str, seconds: float) -> list[Entry]:
        """What came after a position ("" for all), waiting so long for the first entry."""
        try:
            found: Any = await self.redis.xread({self.key: position or "0"}, block=int(seconds * 1000))
        except RedisError:
            await asyncio.sleep(seconds)
            return []
        return [entry for _key, entries in found for entry in decode_entries(entries)] if found else []

    async def close(self) -> None:
        await self.redis.aclose()
