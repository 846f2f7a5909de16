"""Vectors for tests of vector stores."""

from collections.abc import Callable
from typing import Any

import numpy as np

from xiajiao.vectorstores import BaseVectorStore
from xiajiao.vectorstores.base import Vector
from xiajiao.vectorstores.database import DatabaseVectorStore

BACKENDS: dict[str, Callable[[], BaseVectorStore]] = {"database": DatabaseVectorStore}


def make_vectors(count: int, dimension: int = 8, seed: int = 0) -> np.ndarray[Any, Any]:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def keyed(vectors: np.ndarray[Any, Any]) -> dict[str, Vector]:
    return {str(number): vector for number, vector in enumerate(vectors)}


def find_keys(store: BaseVectorStore, vector: Vector, top_k: int = 3, **filters: Any) -> list[str]:
    return [hit.key for hit in store.search("space", vector, top_k, **filters)]
