"""What servers of OpenAI's protocol answer to a request for vectors, read without trust."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xiajiao.embeddings.base import EmbeddingError, Vectors


def read_rows(payload: Any, count: int) -> Vectors:
    """(count, dim) float32 in the order of the request, as the server gave them. Raises EmbeddingError."""
    items = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise EmbeddingError("The embedding server answered without vectors.")
    if len(items) != count:
        raise EmbeddingError(f"The embedding server answered {len(items)} vectors for {count} texts.")
    rows = [read_vector(item.get("embedding")) for item in sort_items(items)]
    if len({len(row) for row in rows}) != 1:
        raise EmbeddingError("The embedding server answered vectors of different lengths.")
    return np.stack(rows)


def sort_items(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By `index` where the server numbers them; else as they come."""
    by_index = {index: item for item in items if isinstance(index := item.get("index"), int)}
    if by_index.keys() != set(range(len(items))):
        return items
    return [by_index[index] for index in range(len(items))]


def read_vector(embedding: Any) -> NDArray[np.float32]:
    """Numbers, or base64 of little-endian float32, which some servers send unasked. Raises EmbeddingError."""
    try:
        if isinstance(embedding, str):
            row = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
        else:
            row = np.asarray(embedding, dtype=np.float32)
    except (ValueError, TypeError, OverflowError) as error:
        raise EmbeddingError(f"The embedding server answered with an unreadable vector: {error}") from error
    if row.ndim != 1 or not row.size:
        raise EmbeddingError("The embedding server answered with an empty vector.")
    return row
