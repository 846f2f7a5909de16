"""What the small, fast embedder says of words and sentences, whichever embedder the installation uses.

"use" takes 2 ms a text, spreads its cosines and is better than e5 from one language to the other: area under the
curve for "same fact" .931 against .847 on zh-en pairs (.757 and .823 against .795 and .904 within zh and en, which is
why it is the second opinion and not the first).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from xiajiao.embeddings import EmbeddingError, Vectors, get_embedder


@lru_cache(maxsize=8192)
def embed(text: str) -> Vectors | None:
    """(dim,) float32, or None where the embedder can't run."""
    try:
        return get_embedder("use").embed_passages([text])[0]
    except EmbeddingError:
        return None


def compare(a: str, b: str) -> float | None:
    """Cosine of two texts; None where the embedder can't run."""
    vectors = embed(a), embed(b)
    if vectors[0] is None or vectors[1] is None:
        return None
    return float(np.dot(vectors[0], vectors[1]))


def compare_words(news: Sequence[str], olds: Sequence[str]) -> list[list[float]]:
    """Cosines, a row for each of `news`; all 0 where the embedder can't run."""
    vectors = [vector for word in (*news, *olds) if (vector := embed(word)) is not None]
    if len(vectors) < len(news) + len(olds):
        return [[0.0] * len(olds) for _ in news]
    table: list[list[float]] = (np.stack(vectors[: len(news)]) @ np.stack(vectors[len(news) :]).T).tolist()
    return table
