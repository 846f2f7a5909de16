"""The one door to models that order what a search has found; there need be none."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from xiajiao.once import once
from xiajiao.reranking.base import BaseReranker, RerankError

__all__ = ["RerankError", "Reranked", "is_reranking", "rerank"]

logger = logging.getLogger(__name__)

CALLS = 16


@dataclass(frozen=True)
class Reranked:
    """A score for each text, or none at all and why: "slow" or "failed"; neither where no reranker is set."""

    scores: Sequence[float] = ()
    failure: str = ""


@once
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CALLS, thread_name_prefix="rerank")


def is_reranking() -> bool:
    return bool(settings.RERANKER)


def rerank(query: str, texts: Sequence[str]) -> Reranked:
    """Within settings.RERANK_DEADLINE. Never raises: a search goes on in its own order."""
    if not texts or not is_reranking():
        return Reranked()
    timeout = settings.RERANK_DEADLINE
    future = pool().submit(load().score, query, texts, timeout)
    try:
        return Reranked(future.result(timeout))
    except TimeoutError:
        future.cancel()
        return Reranked(failure="slow")
    except RerankError as error:
        logger.warning("What was found stays in its own order, the reranker failed: %s", error)
        return Reranked(failure="failed")


def load() -> BaseReranker:
    """The one of settings.RERANKER."""
    rerankers: dict[str, Any] = settings.RERANKERS
    entry = rerankers[settings.RERANKER]
    reranker: BaseReranker = import_string(entry["BACKEND"])(**entry.get("OPTIONS", {}))
    return reranker
