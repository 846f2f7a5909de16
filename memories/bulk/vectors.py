"""The vectors that memories lack which become findable again, made before the transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable

from memories.indexing import Embedded, embed_texts
from memories.models import BulkBatch, BulkChange, Memory
from memories.models.memories import MemoryQuerySet
from xiajiao.batches import batched
from xiajiao.embeddings.base import EmbeddingError

logger = logging.getLogger(__name__)
# Texts in one call of the embedder.
BATCH = 32
Action = BulkChange.Action


class MissingVectors:
    """For one run: an embedder that failed once isn't waited for again, the sweep makes the rest."""

    def __init__(self, change: BulkChange, beat: Callable[[], None]) -> None:
        self.change, self.beat = change, beat
        self.is_down = change.action not in {Action.ENABLE, Action.UNDO}

    def make(self, batch: BulkBatch) -> dict[int, Embedded]:
        """By the memory's primary key. A sign of life is given after each call of the embedder."""
        made: dict[int, Embedded] = {}
        try:
            for rows in batched([] if self.is_down else lacking(batch.memory_ids).values_list("pk", "content"), BATCH):
                embedded = embed_texts([content for _pk, content in rows])
                made |= {pk: each for (pk, _content), each in zip(rows, embedded, strict=True)}
                self.beat()
        except EmbeddingError as error:
            self.is_down = True
            logger.warning("Memories come back without their vectors for now: %s", error)
        return made


def lacking(ids: list[int]) -> MemoryQuerySet:
    """Those without a vector that would be looked for by meaning."""
    return Memory.objects.filter(pk__in=ids, embedded_with="", superseded_by__isnull=True).order_by("pk")
