"""The vectors of one namespace in memory: a contiguous matrix that grows, and is closed up when much of it is dead."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from xiajiao.vectorstores.base import DimensionError, Vector
from xiajiao.vectorstores.rows import News

Rows = NDArray[np.intp]
GROWTH = 1.5
SMALLEST = 64


@dataclass(frozen=True)
class Snapshot:
    """What a search reads: none of it changes afterwards, whatever the matrix learns meanwhile.

    `vectors` (n, dim) float32; `alive` (n,) bool, of which `dead` are not; `keys` may be longer than n.
    """

    vectors: NDArray[np.float32]
    alive: NDArray[np.bool_]
    keys: list[str]
    dead: int
    # The same object as long as rows keep their places.
    edition: object

    def without(self, rows: Rows) -> Snapshot:
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive, dead=self.dead + len(rows))


class VectorMatrix:
    """Its owner lets one thread at a time change it or take a snapshot."""

    def __init__(self) -> None:
        self.number = 0
        self.last_key = ""
        self.keys: list[str] = []
        self.rows: dict[str, int] = {}
        self.vectors: NDArray[np.float32] = np.empty((0, 0), dtype=np.float32)
        self.alive: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self.dead = 0
        self.edition = object()

    @property
    def size(self) -> int:
        """Bytes."""
        return self.vectors.nbytes + self.alive.nbytes

    def learn(self, news: Iterable[News]) -> None:
        # A copy: a snapshot that doesn't have a key's new row must keep the old one.
        self.alive = self.alive.copy()
        for item in news:
            self._forget(item.key)
            if item.vector is not None:
                self._append(item.key, item.vector)
            self.number, self.last_key = item.number, item.key
        if self.dead * 4 > len(self.keys):
            self._close_up()

    def take_snapshot(self) -> Snapshot:
        count = len(self.keys)
        return Snapshot(self.vectors[:count], self.alive[:count], self.keys, self.dead, self.edition)

    def find_rows(self, keys: Collection[str]) -> Rows:
        found = (self.rows.get(key) for key in keys)
        return np.array(sorted(row for row in found if row is not None), dtype=np.intp)

    def _append(self, key: str, vector: Vector) -> None:
        row = len(self.keys)
        if row == 0 and self.vectors.shape[1] != len(vector):
            self.vectors = np.empty((0, len(vector)), dtype=np.float32)
        if len(vector) != self.vectors.shape[1]:
            raise DimensionError(f"A vector of {len(vector)} numbers among vectors of {self.vectors.shape[1]}.")
        if row >= len(self.vectors):
            self._make_room(max(SMALLEST, int(row * GROWTH)))
        self.vectors[row] = vector
        self.alive[row] = True
        self.rows[key] = row
        self.keys.append(key)

    def _make_room(self, capacity: int) -> None:
        vectors = np.empty((capacity, self.vectors.shape[1]), dtype=np.float32)
        vectors[: len(self.vectors)] = self.vectors
        alive = np.zeros(capacity, dtype=np.bool_)
        alive[: len(self.alive)] = self.alive
        self.vectors, self.alive = vectors, alive

    def _forget(self, key: str) -> None:
        row = self.rows.pop(key, None)
        if row is not None:
            self.alive[row] = False
            self.dead += 1

    def _close_up(self) -> None:
        kept = np.flatnonzero(self.alive[: len(self.keys)])
        self.vectors, self.alive = self.vectors[kept], np.ones(len(kept), dtype=np.bool_)
        self.keys = [self.keys[row] for row in kept]
        self.rows = {key: row for row, key in enumerate(self.keys)}
        self.dead = 0
        self.edition = object()
