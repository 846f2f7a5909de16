"""Loads at the start what the first message of the day would else wait for."""

import logging

from xiajiao.embeddings import EmbeddingError, embed_query
from xiajiao.fulltext import terms

logger = logging.getLogger(__name__)


def warm_up() -> None:
    """The dictionary and the local embedder; an embedder that fails is told of, and asked again when it is needed."""
    terms("热身 warm up")
    try:
        embed_query("热身 warm up")
    except EmbeddingError as error:
        logger.warning("The embedder is not ready: %s", error)
