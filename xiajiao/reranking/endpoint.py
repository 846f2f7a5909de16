"""A server with POST /rerank, as Jina, Cohere, vLLM, llama.cpp and Text Embeddings Inference speak it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import httpx2

from xiajiao.reranking.base import RerankError


class EndpointReranker:
    """`url` is the whole address."""

    def __init__(self, url: str, model: str = "", key: str = "") -> None:
        self.url = url
        self.model = model
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def score(self, query: str, texts: Sequence[str], timeout: float) -> list[float]:
        body = {"query": query, "documents": list(texts), "texts": list(texts), "top_n": len(texts)}
        body |= {"model": self.model} if self.model else {}
        try:
            answer = httpx2.post(self.url, json=body, headers=self.headers, timeout=timeout)
            answer.raise_for_status()
            return read_scores(answer.json(), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise RerankError(f"{type(error).__name__}: {error}") from error


def read_scores(answer: Any, count: int) -> list[float]:
    """From `{"results": [{"index": 0, "relevance_score": 0.9}, …]}` or the list alone. Raises ValueError."""
    rows = answer.get("results") or answer.get("data") if isinstance(answer, dict) else answer
    if not isinstance(rows, list):
        raise ValueError("The answer has no list of results.")
    scores = {row["index"]: float(row.get("relevance_score", row.get("score"))) for row in rows if is_result(row)}
    if set(scores) != set(range(count)) or not all(map(math.isfinite, scores.values())):
        raise ValueError(f"The answer has no score for each of the {count} texts.")
    return [scores[place] for place in range(count)]


def is_result(row: Any) -> bool:
    """An index, and a figure."""
    if not isinstance(row, dict) or not isinstance(row.get("index"), int):
        return False
    return isinstance(row.get("relevance_score", row.get("score")), int | float)
