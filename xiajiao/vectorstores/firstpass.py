"""How many rows the first pass must hand on, so that the exact second pass finds what a full one would."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
from numpy.typing import NDArray

from xiajiao.vectorstores.base import Vector
from xiajiao.vectorstores.exact import choose_best, score_rows
from xiajiao.vectorstores.matrix import Rows, Snapshot
from xiajiao.vectorstores.planes import BitPlanes, Distances, choose_nearest

# Of the true top 10, this share has to be among the rows handed on, plus half of them again for what was not measured.
RECALL = 0.998
MARGIN = 1.5
FEWEST = 200
TOP = 10
QUERIES = 64
# A pass that hands on more than a fraction of the rows saves nothing.
LARGEST_SHARE = 1 / 8
# Real queries lie elsewhere than stored vectors: the first ones and then one in so many are answered both ways.
FIRST_AUDITS = 16
AUDIT_EVERY = 64


class FirstPass:
    """Bit planes of one matrix with the figures that say how far they may be trusted."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.edition = snapshot.edition
        self.planes = BitPlanes(snapshot.vectors)
        self.built_for = len(snapshot.vectors)
        self.searches = 0
        self.lock = threading.Lock()
        self.ranks: deque[int] = deque(maxlen=4 * QUERIES * TOP)
        # Rows to hand on for a top 10.
        self.wanted = FEWEST
        for query in sample_queries(snapshot):
            self._observe(snapshot, query, self.planes.measure(query, len(snapshot.vectors)), None, TOP)

    @property
    def is_worthwhile(self) -> bool:
        return self.wanted <= self.planes.count * LARGEST_SHARE

    def search(
        self, snapshot: Snapshot, vector: Vector, rows: Rows | None, top_k: int
    ) -> tuple[Rows, NDArray[np.float32]]:
        """The nearest rows and their cosines."""
        distances = self.planes.measure(vector, len(snapshot.vectors))
        self.searches += 1
        if self.searches <= FIRST_AUDITS or self.searches % AUDIT_EVERY == 0:
            return self._observe(snapshot, vector, distances, rows, top_k)
        most = int(self.wanted * max(1.0, top_k / TOP))
        near = choose_nearest(distances, most) if rows is None else rows[choose_nearest(distances[rows], most)]
        return choose_best(*score_rows(snapshot, vector, near), top_k)

    def _observe(
        self, snapshot: Snapshot, vector: Vector, distances: Distances, rows: Rows | None, top_k: int
    ) -> tuple[Rows, NDArray[np.float32]]:
        """The exact answer; how many rows would have had to be handed on to find it is remembered."""
        best, scores = choose_best(*score_rows(snapshot, vector, rows), top_k)
        rivals = distances if rows is None else distances[rows]
        ahead = np.cumsum(np.bincount(rivals))
        with self.lock:
            self.ranks.extend(int(rank / max(1.0, top_k / TOP)) for rank in ahead[distances[best]])
            self.wanted = max(FEWEST, int(MARGIN * np.quantile(list(self.ranks), RECALL)))
        return best, scores


def sample_queries(snapshot: Snapshot) -> NDArray[np.float32]:
    """(n, dim): vectors between two stored ones, as questions lie between the texts that answer them."""
    chooser = np.random.default_rng(0)
    living = np.flatnonzero(snapshot.alive)
    first, second = chooser.choice(living, (2, QUERIES))
    share = chooser.uniform(0.0, 0.5, (QUERIES, 1)).astype(np.float32)
    mixed = (1 - share) * snapshot.vectors[first] + share * snapshot.vectors[second]
    return np.asarray(mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9), dtype=np.float32)
