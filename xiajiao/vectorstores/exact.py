"""The nearest rows of a matrix, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xiajiao.vectorstores.base import DimensionError, Vector, VectorHit
from xiajiao.vectorstores.matrix import Rows, Snapshot

Scores = NDArray[np.float32]


def normalise(vector: Vector) -> Vector:
    """Of length 1, or 0 if it is zero. Raises ValueError where a number is none."""
    vector = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if vector.ndim != 1 or not np.isfinite(length):
        raise ValueError("A vector is one row of finite numbers.")
    return vector / np.float32(length) if length else vector


def check_dimension(vector: Vector, dimension: int) -> None:
    if len(vector) != dimension:
        raise DimensionError(f"A vector of {len(vector)} numbers, where the namespace has {dimension}.")


def score_rows(snapshot: Snapshot, vector: Vector, rows: Rows | None) -> tuple[Rows, Scores]:
    """The living rows (None: of all) and their cosines."""
    if rows is not None:
        rows = rows[snapshot.alive[rows]] if snapshot.dead else rows
        return rows, snapshot.vectors[rows] @ vector
    scores = snapshot.vectors @ vector
    if not snapshot.dead:
        return np.arange(len(scores)), scores
    living = np.flatnonzero(snapshot.alive)
    return living, scores[living]


def choose_best(rows: Rows, scores: Scores, top_k: int) -> tuple[Rows, Scores]:
    """The best first; among equals the older row."""
    if len(scores) > top_k:
        best = np.argpartition(-scores, top_k - 1)[:top_k]
        rows, scores = rows[best], scores[best]
    order = np.lexsort((rows, -scores))
    return rows[order], scores[order]


def make_hits(snapshot: Snapshot, rows: Rows, scores: Scores) -> list[VectorHit]:
    return [VectorHit(snapshot.keys[row], float(score)) for row, score in zip(rows, scores, strict=True)]
