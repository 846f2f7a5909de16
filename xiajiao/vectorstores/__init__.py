"""Vectors by namespace: the one door to vector stores."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from xiajiao.once import once
from xiajiao.vectorstores.base import BaseVectorStore, DimensionError, Vector, VectorHit, vector_namespace

__all__ = ["BaseVectorStore", "DimensionError", "Vector", "VectorHit", "get_store", "vector_namespace"]


def get_store(alias: str = "default") -> BaseVectorStore:
    """One for each alias of VECTOR_STORES and process. Raises ImproperlyConfigured for an alias that isn't there."""
    return load_store(alias)


@once
def load_store(alias: str) -> BaseVectorStore:
    stores: dict[str, Any] = settings.VECTOR_STORES
    if alias not in stores:
        raise ImproperlyConfigured(f"VECTOR_STORES has no {alias!r}, but {', '.join(stores)}.")
    store: BaseVectorStore = import_string(stores[alias]["BACKEND"])(**stores[alias].get("OPTIONS", {}))
    return store
