"""The embedded store: vectors in a table beside the rows that they belong to, searched in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np
from django.db import transaction

from xiajiao.models import StoredVector
from xiajiao.vectorstores import rows as table
from xiajiao.vectorstores.base import BaseVectorStore, Vector, VectorHit
from xiajiao.vectorstores.cache import FULL_PRODUCT, NamespaceCache, View, look_up
from xiajiao.vectorstores.exact import Scores, check_dimension, choose_best, make_hits, normalise, score_rows
from xiajiao.vectorstores.matrix import Rows, Snapshot

# So few keys are read from the table where the namespace is not in memory yet.
FEW_KEYS = 1000


class DatabaseVectorStore(BaseVectorStore):
    """Exact, in the caller's transaction, the same for all processes. `memory_budget` in bytes for each process."""

    def __init__(self, memory_budget: int = 512 * 1024**2) -> None:
        self.memory_budget = memory_budget
        self.lock = threading.Lock()
        self.caches: OrderedDict[str, NamespaceCache] = OrderedDict()
        # Bytes of each cache when it was last searched: who searches many namespaces can't add all up each time.
        self.sizes: dict[str, int] = {}

    @property
    def place(self) -> str:
        return "database"

    @transaction.atomic
    def upsert(self, namespace: str, vectors: Mapping[str, Vector]) -> None:
        prepared = {key: normalise(vector) for key, vector in vectors.items()}
        if table.RESTART in prepared:
            raise ValueError("The key of a vector may not be empty.")
        table.hold(namespace)
        dimension = table.read_dimension(namespace)
        for vector in prepared.values():
            dimension = dimension or len(vector)
            check_dimension(vector, dimension)
        new = [StoredVector(namespace=namespace, key=key, vector=table.to_blob(v)) for key, v in prepared.items()]
        table.write(namespace, new)

    @transaction.atomic
    def delete(self, namespace: str, keys: Collection[str]) -> None:
        table.hold(namespace)
        gone = table.read_keys(namespace, keys)
        table.write(namespace, [StoredVector(namespace=namespace, key=key) for key in gone])
        table.sweep_traces(namespace)

    @transaction.atomic
    def drop(self, namespace: str) -> None:
        table.hold(namespace)
        if StoredVector.objects.filter(namespace=namespace).delete()[0]:
            table.write(namespace, [StoredVector(namespace=namespace, key=table.RESTART)])

    def keys(self, namespace: str) -> set[str]:
        return table.list_keys(namespace)

    def count(self, namespace: str) -> int:
        return StoredVector.objects.filter(namespace=namespace, vector__isnull=False).count()

    def fetch(self, namespace: str, keys: Collection[str]) -> dict[str, Vector]:
        return table.read_vectors(namespace, keys)

    def fetch_from(self, places: Mapping[str, Collection[str]]) -> dict[tuple[str, str], Vector]:
        return table.read_vectors_from(places)

    def search(
        self, namespace: str, vector: Vector, top_k: int, keys: Collection[str] | None = None
    ) -> list[VectorHit]:
        if top_k < 1 or (keys is not None and not keys):
            return []
        vector = normalise(vector)
        if keys is not None and len(keys) <= FEW_KEYS and namespace not in self.caches:
            return rank(table.read_vectors(namespace, keys), vector)[:top_k]
        cache = self._get_cache(namespace)
        view = cache.peek(keys) if table.is_in_transaction() else cache.follow(keys)
        self._keep_to_budget(cache)
        found = choose_from(cache, view, vector, top_k)
        hits = (make_hits(snapshot, rows, scores) for snapshot, rows, scores in found)
        return sorted(chain.from_iterable(hits), key=lambda hit: -hit.score)[:top_k]

    def search_all(
        self, namespaces: Sequence[str], vector: Vector, top_k: int, most: int
    ) -> list[tuple[str, VectorHit]]:
        if table.is_in_transaction():
            return super().search_all(namespaces, vector, top_k, most)
        vector = normalise(vector)
        caches = [self._get_cache(namespace) for namespace in namespaces]
        standings = look_up(caches)
        found: list[tuple[str, list[str], Rows, Scores]] = []
        for cache in caches:
            view = cache.follow(None, standings[cache.namespace])
            self._keep_to_budget(cache)
            chosen = choose_from(cache, view, vector, top_k)
            found += [(cache.namespace, snapshot.keys, rows, scores) for snapshot, rows, scores in chosen]
        least = find_least([scores for *_where, scores in found], most)
        hits = [
            (namespace, VectorHit(keys[row], float(score)))
            for namespace, keys, rows, scores in found
            for row, score in zip(rows[scores >= least], scores[scores >= least], strict=True)
        ]
        return sorted(hits, key=lambda hit: -hit[1].score)[:most]

    def close(self) -> None:
        with self.lock:
            self.caches.clear()
            self.sizes.clear()

    def _get_cache(self, namespace: str) -> NamespaceCache:
        with self.lock:
            cache = self.caches.get(namespace) or NamespaceCache(namespace)
            self.caches[namespace] = cache
            self.caches.move_to_end(namespace)
            return cache

    def _keep_to_budget(self, latest: NamespaceCache) -> None:
        """Drop the namespaces that were searched longest ago, but for the latest one."""
        with self.lock:
            size = latest.size
            if self.sizes.get(latest.namespace) == size:
                return
            self.sizes[latest.namespace] = size
            total = sum(self.sizes.values())
            for namespace, cache in list(self.caches.items()):
                if total <= self.memory_budget or cache is latest:
                    return
                del self.caches[namespace]
                total -= self.sizes.pop(namespace, 0)


def choose_from(cache: NamespaceCache, view: View, vector: Vector, top_k: int) -> list[tuple[Snapshot, Rows, Scores]]:
    """The best of each part that holds something."""
    parts = [(snapshot, rows) for snapshot, rows in view if len(snapshot.vectors)]
    return [(snapshot, *choose_from_part(cache, snapshot, rows, vector, top_k)) for snapshot, rows in parts]


def choose_from_part(
    cache: NamespaceCache, snapshot: Snapshot, rows: Rows | None, vector: Vector, top_k: int
) -> tuple[Rows, Scores]:
    """The cheapest way by the number of candidates."""
    check_dimension(vector, snapshot.vectors.shape[1])
    candidates = len(snapshot.vectors) if rows is None else len(rows)
    first_pass = cache.get_first_pass(snapshot) if candidates > FULL_PRODUCT else None
    if first_pass is not None:
        return first_pass.search(snapshot, vector, rows, top_k)
    return choose_best(*score_rows(snapshot, vector, rows), top_k)


def find_least(scores: Sequence[Scores], most: int) -> float:
    """The score of the last of the best `most`; of all where there are no more."""
    together = np.concatenate([np.empty(0, dtype=np.float32), *scores])
    if len(together) <= most:
        return -np.inf
    return float(np.partition(together, -most)[-most])


def rank(vectors: Mapping[str, Vector], vector: Vector) -> list[VectorHit]:
    for stored in vectors.values():
        check_dimension(vector, len(stored))
    hits = [VectorHit(key, float(np.dot(stored, vector))) for key, stored in vectors.items()]
    return sorted(hits, key=lambda hit: -hit.score)
