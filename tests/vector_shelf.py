"""Another vector store than the embedded one, for tests that move vectors: it keeps them in this process."""

from collections.abc import Collection, Mapping

import numpy as np

from xiajiao.vectorstores.base import BaseVectorStore, Vector, VectorHit


class VectorShelf(BaseVectorStore):
    def __init__(self) -> None:
        self.spaces: dict[str, dict[str, Vector]] = {}

    def upsert(self, namespace: str, vectors: Mapping[str, Vector]) -> None:
        self.spaces.setdefault(namespace, {}).update(vectors)

    def search(
        self, namespace: str, vector: Vector, top_k: int, keys: Collection[str] | None = None
    ) -> list[VectorHit]:
        held = self.spaces.get(namespace, {})
        hits = [VectorHit(key, float(np.dot(held[key], vector))) for key in held if keys is None or key in keys]
        return sorted(hits, key=lambda hit: -hit.score)[:top_k]

    def fetch(self, namespace: str, keys: Collection[str]) -> dict[str, Vector]:
        held = self.spaces.get(namespace, {})
        return {key: held[key] for key in keys if key in held}

    def delete(self, namespace: str, keys: Collection[str]) -> None:
        for key in keys:
            self.spaces.get(namespace, {}).pop(key, None)

    def drop(self, namespace: str) -> None:
        self.spaces.pop(namespace, None)

    def keys(self, namespace: str) -> set[str]:
        return set(self.spaces.get(namespace, {}))

    def count(self, namespace: str) -> int:
        return len(self.spaces.get(namespace, {}))

    def close(self) -> None:
        self.spaces.clear()
