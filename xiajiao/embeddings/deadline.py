"""Vectors within a deadline: neither a chat nor a page waits for a slow embedder."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from django.conf import settings

from xiajiao.embeddings.base import EmbeddingError, Vectors
from xiajiao.embeddings.queries import embed_query
from xiajiao.embeddings.registry import get_embedder
from xiajiao.once import once

logger = logging.getLogger(__name__)

# Seconds in which a query may wait in line for a local model before its own call starts: fifty turns that begin at
# once take about two seconds on two cores, and none of them should know less for it.
LONGEST_LINE = 10.0
REMOTE_CALLS = 64


@once
def pool_of(is_local: bool) -> ThreadPoolExecutor:
    """Of this process; as many threads as a local model has cores, for more would only make all of them late."""
    threads = (os.cpu_count() or 1) if is_local else REMOTE_CALLS
    return ThreadPoolExecutor(threads, thread_name_prefix="embed-query")


@dataclass(frozen=True)
class EmbeddedQueries:
    """One vector for each query, or none at all and why: "slow" or "failed"."""

    vectors: Sequence[Vectors] = ()
    degraded: str = ""


def embed_in_time(queries: Sequence[str], name: str | None = None) -> EmbeddedQueries:
    """By the embedder of that alias. Never raises.

    settings.RECALL_DEADLINE counts a local model's own call, and a remote one's whole time.
    """
    return run_in_time(lambda: [embed_query(query, name) for query in queries], name)


def embed_passages_in_time(texts: Sequence[str], name: str | None = None) -> EmbeddedQueries:
    """The same for texts as they are stored: what is shown meanwhile is told by words alone."""
    return run_in_time(lambda: list(get_embedder(name).embed_passages(texts)), name)


def run_in_time(embed: Callable[[], list[Vectors]], name: str | None) -> EmbeddedQueries:
    try:
        is_local = get_embedder(name).is_local
    except EmbeddingError as error:
        logger.warning("It goes on by full text alone: %s", error)
        return EmbeddedQueries(degraded="failed")
    started = Event()
    future = pool_of(is_local).submit(start, embed, started)
    if is_local and not started.wait(LONGEST_LINE):
        future.cancel()
        return EmbeddedQueries(degraded="slow")
    return read(future)


def start(embed: Callable[[], list[Vectors]], started: Event) -> list[Vectors]:
    started.set()
    return embed()


def read(future: Future[list[Vectors]]) -> EmbeddedQueries:
    try:
        return EmbeddedQueries(future.result(settings.RECALL_DEADLINE))
    except TimeoutError:
        future.cancel()
        return EmbeddedQueries(degraded="slow")
    except EmbeddingError as error:
        logger.warning("It goes on by full text alone: %s", error)
        return EmbeddedQueries(degraded="failed")
