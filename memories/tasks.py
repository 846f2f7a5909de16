"""Sweeps over memories, nudged by beat: each does a bounded piece of work and may run twice at once."""

from __future__ import annotations

import logging

from celery import shared_task

from memories.sweeps import embed_unembedded, purge
from memories.tallying import check_tallies
from xiajiao.embeddings.base import EmbeddingError

logger = logging.getLogger(__name__)


@shared_task
def purge_deleted() -> None:
    """Remove what was deleted longer ago than a person may take it back."""
    purge()


@shared_task
def embed_missing() -> None:
    """Make the vectors that memories lack: the embedder was down, or is another one now."""
    try:
        embed_unembedded()
    except EmbeddingError as error:
        logger.warning("Memories wait for their vectors: %s", error)


@shared_task
def mend_tallies() -> None:
    """Count all memories again: the panel's figures are kept beside them, and must not drift."""
    check_tallies()
