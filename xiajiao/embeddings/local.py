"""Embedders that compute in this process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import BoundedSemaphore

import numpy as np

from xiajiao.embeddings.base import BaseEmbedder, EmbeddingError, Vectors
from xiajiao.embeddings.texts import clean_query, clean_text
from xiajiao.embeddings.vectors import normalise

# Characters in one call of a model: a query that waits for a slot waits for no more than this.
BATCH_CHARACTERS = 2000


class EmbedderUnavailableError(EmbeddingError):
    """This machine can't run the model at all; settings may name another one in its place."""


class LocalEmbedder(BaseEmbedder):
    """Bounds what goes into a model and how many threads compute at once; a backend gives `encode`.

    An instance belongs to the process that made it: get_embedder() makes another one after a fork.
    """

    is_local = True
    # A turn waits for its query: 400 Chinese characters take e5 0.4 s.
    max_query_characters = 400
    max_passage_characters = 2000

    def __init__(self) -> None:
        # More threads than cores would only make all of them late.
        self._slots = BoundedSemaphore(os.cpu_count() or 1)

    def encode_passages(self, texts: list[str]) -> Vectors:
        """(n, dim) float32 of clean texts; called by several threads at once."""
        raise NotImplementedError

    def encode_queries(self, texts: list[str]) -> Vectors:
        """(n, dim) float32 of clean texts; called by several threads at once."""
        raise NotImplementedError

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed([clean_text(text, self.max_passage_characters) for text in texts], self.encode_passages)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed([clean_query(text, self.max_query_characters) for text in texts], self.encode_queries)

    def _embed(self, texts: list[str], encode: Callable[[list[str]], Vectors]) -> Vectors:
        parts = [np.empty((0, self.dim), dtype=np.float32)]
        for batch in split_batches(texts):
            with self._slots:
                rows = encode(batch)
            parts.append(normalise(rows))
        return np.concatenate(parts)


def split_batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Neighbours together, at most BATCH_CHARACTERS in a batch or a single longer text."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text) + 1
    if batch:
        yield batch


def check_weights(path: Path, sha256: str) -> None:
    """Raises EmbedderUnavailableError where the file is missing, EmbeddingError where it is another one."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderUnavailableError(f"{path.name} can't be read: {error.strerror}.") from error
    if digest != sha256:
        raise EmbeddingError(f"{path} is not the file that Xiajiao was tested with; install its package again.")
