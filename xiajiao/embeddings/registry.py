"""Which embedder a name stands for: made once in each process, at its first use."""

from __future__ import annotations

import logging
import os
from threading import RLock
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from xiajiao.embeddings.base import BaseEmbedder, EmbeddingError
from xiajiao.embeddings.local import EmbedderUnavailableError

logger = logging.getLogger(__name__)


class Registry:
    """The embedders of one process, and why one stands in for another."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """After a fork: a lock that a thread of the parent held would never open again."""
        self.lock = RLock()
        self.embedders: dict[str, BaseEmbedder] = {}
        self.reasons: dict[str, str] = {}

    def get(self, name: str) -> BaseEmbedder:
        with self.lock:
            if name not in self.embedders:
                self.embedders[name] = self.make(name)
            return self.embedders[name]

    def make(self, name: str) -> BaseEmbedder:
        entry: dict[str, Any] | None = settings.EMBEDDERS.get(name)
        if entry is None:
            raise EmbeddingError(f"No embedder is named {name!r}; there are {', '.join(settings.EMBEDDERS)}.")
        try:
            return import_string(entry["BACKEND"])(**entry.get("OPTIONS", {}))
        except EmbedderUnavailableError as error:
            fallback = entry.get("FALLBACK")
            if not fallback:
                raise
            self.reasons[name] = str(error)
            logger.warning("The embedder %s can't run here, %s stands in for it: %s", name, fallback, error)
            return self.get(fallback)


_registry = Registry()
os.register_at_fork(after_in_child=_registry.forget)


def get_embedder(name: str | None = None) -> BaseEmbedder:
    """The embedder of an alias in settings.EMBEDDERS, loaded; None is settings.EMBEDDER.

    Its own `name` differs from the alias where a FALLBACK stands in for it. Don't keep it over a fork.
    Raises EmbeddingError.
    """
    return _registry.get(name or settings.EMBEDDER)


def fallback_reason(name: str | None = None) -> str:
    """Why another embedder stands in for this alias; empty where none does, or nobody has asked for it yet."""
    return _registry.reasons.get(name or settings.EMBEDDER, "")
