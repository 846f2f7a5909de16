"""A first pass over many vectors that reads one bit of each number instead of 32.

The numbers are centred on the namespace's mean and rotated at random before their signs are taken: on real sentence
vectors the best 400 by bare signs held 72 % of the true top 10, centred ones 99.0 %, rotated ones 99.6 %.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from xiajiao.vectorstores.base import Vector
from xiajiao.vectorstores.matrix import Rows

WORD = 64
LARGEST_BLOCK = 512
# Rows at a time: what is counted stays in the processor's cache.
STRIP = 16_384

Distances = NDArray[np.uint16]


class BitPlanes:
    """Signs of vectors, one 64-bit word of each row after the other: `words` (dim / 64, n) uint64."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        self.count = 0
        self.words = np.empty((self.padded // WORD, 0), dtype=np.uint64)
        self.extend(vectors)

    @property
    def padded(self) -> int:
        return -(-len(self.mean) // WORD) * WORD

    def extend(self, vectors: NDArray[np.float32]) -> None:
        """Take in the rows from `count` on. Readers of earlier rows are not disturbed."""
        if len(vectors) <= self.count:
            return
        if len(vectors) > self.words.shape[1]:
            words = np.empty((self.padded // WORD, int(len(vectors) * 1.2)), dtype=np.uint64)
            words[:, : self.count] = self.words[:, : self.count]
            self.words = words
        for start in range(self.count, len(vectors), STRIP):
            strip = vectors[start : start + STRIP]
            self.words[:, start : start + len(strip)] = self._take_signs(strip).T
        self.count = len(vectors)

    def measure(self, vector: Vector, count: int) -> Distances:
        """(count,) how many signs of each row differ from those of the vector."""
        signs = self._take_signs(vector[None])[0]
        distances = np.zeros(count, dtype=np.uint16)
        for start in range(0, count, STRIP):
            strip = distances[start : start + STRIP]
            for word, sign in zip(self.words, signs, strict=True):
                strip += np.bitwise_count(word[start : start + len(strip)] ^ sign)
        return distances

    def _take_signs(self, vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
        """(n, dim / 64) uint64."""
        centred = np.zeros((len(vectors), self.padded), dtype=np.float32)
        centred[:, : len(self.mean)] = vectors - self.mean
        rotation = make_rotation(self.padded)
        blocks = centred.reshape(len(vectors), -1, len(rotation)) @ rotation
        return np.packbits(blocks.reshape(len(vectors), -1) > 0, axis=1).view(np.uint64)


@lru_cache
def make_rotation(dimension: int) -> NDArray[np.float32]:
    """A random rotation, the same in each process; of blocks where the whole would cost too much."""
    block = next(size for size in range(min(dimension, LARGEST_BLOCK), 0, -WORD) if dimension % size == 0)
    noise = np.random.default_rng(0).standard_normal((block, block))
    rotation, _triangle = np.linalg.qr(noise)
    return rotation.astype(np.float32)


def choose_nearest(distances: Distances, most: int) -> Rows:
    """The rows with the smallest distances, `most` of them and all that are as near as the last."""
    if len(distances) <= most:
        return np.arange(len(distances))
    limit = np.searchsorted(np.cumsum(np.bincount(distances)), most)
    return np.flatnonzero(distances <= limit)
