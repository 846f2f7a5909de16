"""What a vector store promises: exact namespaces, cosine scores, writes in the caller's transaction where it can."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class DimensionError(ValueError):
    """A vector of another length than those of its namespace: another embedding model made it."""


def vector_namespace(namespace: str, embedder: str) -> str:
    """Where the vectors of a namespace stand that this embedder made; `embedder` is its full name."""
    return f"{namespace}@{embedder}"


@dataclass(frozen=True)
class VectorHit:
    """`score` is the cosine; higher is nearer."""

    key: str
    score: float


class BaseVectorStore:
    """Vectors are float32 and L2-normalised. A namespace names its embedding model, so dimensions never mix."""

    @property
    def place(self) -> str:
        """Names where the vectors lie: two stores of one place hold the same ones."""
        return f"{type(self).__qualname__}:{id(self)}"

    def upsert(self, namespace: str, vectors: Mapping[str, Vector]) -> None:
        """Insert or replace. Raises DimensionError, and ValueError for an empty key or a number that is none."""
        raise NotImplementedError

    def search(
        self, namespace: str, vector: Vector, top_k: int, keys: Collection[str] | None = None
    ) -> list[VectorHit]:
        """The nearest first, at most `top_k`; `keys`: among these alone (an empty collection finds nothing).

        Raises DimensionError.
        """
        raise NotImplementedError

    def search_all(
        self, namespaces: Sequence[str], vector: Vector, top_k: int, most: int
    ) -> list[tuple[str, VectorHit]]:
        """Of several, with the namespace of each; at most `top_k` of one and `most` of all. Raises DimensionError."""
        hits = ((name, hit) for name in namespaces for hit in self.search(name, vector, top_k))
        return sorted(hits, key=lambda found: -found[1].score)[:most]

    def fetch(self, namespace: str, keys: Collection[str]) -> dict[str, Vector]:
        """The stored vectors of those keys that have one."""
        raise NotImplementedError

    def fetch_from(self, places: Mapping[str, Collection[str]]) -> dict[tuple[str, str], Vector]:
        """The same of several namespaces, by namespace and key."""
        return {
            (namespace, key): vector
            for namespace, keys in places.items()
            for key, vector in self.fetch(namespace, keys).items()
        }

    def delete(self, namespace: str, keys: Collection[str]) -> None:
        raise NotImplementedError

    def drop(self, namespace: str) -> None:
        """Delete all of a namespace."""
        raise NotImplementedError

    def keys(self, namespace: str) -> set[str]:
        """Of all vectors in it."""
        raise NotImplementedError

    def count(self, namespace: str) -> int:
        raise NotImplementedError

    def close(self) -> None:
        """Free what is held in memory."""
