"""What a process holds of one namespace, and how it keeps up with what others write."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from typing import NamedTuple

from xiajiao.vectorstores.firstpass import FirstPass
from xiajiao.vectorstores.matrix import Rows, Snapshot, VectorMatrix
from xiajiao.vectorstores.rows import RESTART, News, read_latest, read_news

# Up to so many rows a full product is as fast.
FULL_PRODUCT = 5000
# A first pass made for fewer rows than this share of them is made again: their mean has moved.
OUTGROWN = 0.5
BYTES_A_KEY = 200

View = list[tuple[Snapshot, Rows | None]]


class Standing(NamedTuple):
    """The table's latest number of a namespace, and whether the row of the number still stands that was `known`."""

    latest: int
    stands: bool
    known: int


class NamespaceCache:
    """One namespace in memory, shared by all threads."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self.lock = threading.Lock()
        self.matrix = VectorMatrix()
        self.pass_lock = threading.Lock()
        self.first_pass: FirstPass | None = None

    @property
    def size(self) -> int:
        """Bytes, roughly."""
        return (
            self.matrix.size
            + BYTES_A_KEY * (len(self.matrix.keys) + 10)
            + (self.first_pass.planes.words.nbytes if self.first_pass else 0)
        )

    def follow(self, keys: Collection[str] | None, standing: Standing | None = None) -> View:
        """The namespace as it is committed, and the rows of these keys; what is new is kept for all threads.

        `standing`: what the table says of it, where that is known already.
        """
        latest, stands, known = standing or look_up([self])[self.namespace]
        is_up_to_date = latest == known and (stands or not latest)
        with self.lock:
            if not is_up_to_date:
                news = read_unknown(self.matrix, self.namespace)
                if news is None:
                    self.matrix = read_again(self.namespace)
                else:
                    self.matrix.learn(news)
            return [take_view(self.matrix, keys)]

    def peek(self, keys: Collection[str] | None) -> View:
        """The namespace as the current transaction sees it: what it wrote may be rolled back, so nothing is kept."""
        with self.lock:
            news = read_unknown(self.matrix, self.namespace)
            if news is None:
                return [take_view(read_again(self.namespace), keys)]
            snapshot, rows = take_view(self.matrix, keys)
            changed = self.matrix.find_rows([item.key for item in news])
        own = VectorMatrix()
        own.learn(news)
        return [(snapshot.without(changed), rows), take_view(own, keys)] if news else [(snapshot, rows)]

    def get_first_pass(self, snapshot: Snapshot) -> FirstPass | None:
        """Ready for all rows of the snapshot; None where it isn't worth while or another thread is making it."""
        count = len(snapshot.vectors)
        ready = self.first_pass
        if ready is None or ready.edition is not snapshot.edition or ready.built_for < count * OUTGROWN:
            ready = self._make_first_pass(snapshot)
        elif ready.planes.count < count:
            with self.pass_lock:
                ready.planes.extend(snapshot.vectors)
        return ready if ready is not None and ready.is_worthwhile else None

    def _make_first_pass(self, snapshot: Snapshot) -> FirstPass | None:
        if not self.pass_lock.acquire(blocking=False):
            return None
        try:
            self.first_pass = FirstPass(snapshot)
        finally:
            self.pass_lock.release()
        return self.first_pass


def look_up(caches: Sequence[NamespaceCache]) -> dict[str, Standing]:
    known = {cache.namespace: cache.matrix.number for cache in caches}
    return {name: Standing(*latest, known[name]) for name, latest in read_latest(known).items()}


def take_view(matrix: VectorMatrix, keys: Collection[str] | None) -> tuple[Snapshot, Rows | None]:
    return matrix.take_snapshot(), None if keys is None else matrix.find_rows(keys)


def read_unknown(matrix: VectorMatrix, namespace: str) -> list[News] | None:
    """What the matrix doesn't know yet; None: it has to be read again.

    The last row known must still stand or have been replaced: otherwise the table was changed behind our back (a
    restored backup, an emptied database).
    """
    if not matrix.number:
        return None
    latest, stands = read_latest({namespace: matrix.number})[namespace]
    news = list(read_news(namespace, matrix.number))
    keys = {item.key for item in news}
    if latest < matrix.number or RESTART in keys or not (stands or matrix.last_key in keys):
        return None
    return news


def read_again(namespace: str) -> VectorMatrix:
    matrix = VectorMatrix()
    matrix.learn(read_news(namespace, 0))
    return matrix
