"""The vector of a query, remembered in the broker for every process."""

from __future__ import annotations

import hashlib
import logging
import time

import numpy as np
from django.core.cache import cache
from redis.exceptions import RedisError

from xiajiao.broker import connect
from xiajiao.embeddings.base import BaseEmbedder, Vectors
from xiajiao.embeddings.registry import get_embedder

logger = logging.getLogger(__name__)
DAY = 24 * 60 * 60
# Seconds in which a broker that failed isn't asked again, so that it delays one turn and not each.
REST = 10.0


class QueryCache:
    """Vectors by model and text. A broker that is down or slow costs one timeout every REST seconds, never an error."""

    def __init__(self) -> None:
        self.silent_until = 0.0

    def get(self, key: str) -> bytes | None:
        if time.monotonic() < self.silent_until:
            return None
        try:
            return cache.get(key)
        except (RedisError, OSError) as error:
            self.rest(error)
            return None

    def set(self, key: str, value: bytes) -> None:
        if time.monotonic() < self.silent_until:
            return
        try:
            cache.set(key, value, timeout=DAY)
        except (RedisError, OSError) as error:
            self.rest(error)

    def rest(self, error: Exception) -> None:
        self.silent_until = time.monotonic() + REST
        logger.warning("Query vectors are not cached for %d s, the broker failed: %s", REST, error)


_cache = QueryCache()


def embed_query(text: str, name: str | None = None) -> Vectors:
    """(dim,) float32 of a text that searches, by the embedder of that alias. Raises EmbeddingError."""
    embedder = get_embedder(name)
    key = cache_key(embedder, text)
    known = _cache.get(key)
    if isinstance(known, bytes) and len(known) == embedder.dim * 4:
        return np.frombuffer(known, dtype=np.float32)
    vector = embedder.embed_queries([text])[0]
    _cache.set(key, vector.tobytes())
    return vector


def clear_queries() -> int:
    """Forget all vectors of queries; how many they were. They are made again when they are needed."""
    try:
        with connect() as client:
            keys = list(client.scan_iter(match="*:query:*", count=1_000))
            return int(client.delete(*keys)) if keys else 0
    except RedisError as error:
        _cache.rest(error)
        return 0


def count_queries() -> int:
    try:
        with connect() as client:
            return sum(1 for _key in client.scan_iter(match="*:query:*", count=1_000))
    except RedisError:
        return 0


def cache_key(embedder: BaseEmbedder, text: str) -> str:
    """Of the whole text, so that no two texts share a key; surrogates have no other bytes than these."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    model = hashlib.sha256(embedder.name.encode()).hexdigest()[:12]
    return f"query:{model}:{digest}"
