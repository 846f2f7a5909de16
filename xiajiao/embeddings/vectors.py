"""What every vector goes through before it leaves an embedder."""

from __future__ import annotations

import numpy as np

from xiajiao.embeddings.base import EmbeddingError, Vectors


def normalise(rows: Vectors) -> Vectors:
    """(n, dim) float32 of length one. Raises EmbeddingError for a row that has no direction."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise EmbeddingError("The embedding model answered with a vector that has no direction.")
    return (rows / lengths).astype(np.float32)
