"""The search that one would write oneself, beside ours: FTS5, a product in numpy, reciprocal rank fusion."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge.models import Chunk, DocumentTag, KnowledgeBase
from knowledge.namespaces import chunk_namespace
from knowledge.search import Wanted
from xiajiao import fulltext
from xiajiao.batches import batched
from xiajiao.embeddings import get_embedder
from xiajiao.models import IndexedText
from xiajiao.vectorstores import get_store, vector_namespace

DEPTH, SMOOTHING = 50, 60


class NaiveSearch:
    """Everything in memory: the table of full text, all vectors, and which document and tags each chunk has."""

    def __init__(self, base: KnowledgeBase) -> None:
        rows = list(Chunk.objects.filter(document__base=base).order_by("pk").values_list("pk", "document__doc_id"))
        self.keys = np.array([key for key, _document in rows])
        self.documents = np.array([document for _key, document in rows])
        tagged = DocumentTag.objects.filter(document__base=base).values_list("tag", "document__doc_id")
        self.tags: dict[str, set[str]] = {}
        for tag, document in tagged:
            self.tags.setdefault(tag, set()).add(document)
        self.vectors = self.read_vectors(base)
        self.texts = dict(Chunk.objects.filter(document__base=base).values_list("pk", "text"))
        self.table = sqlite3.connect(":memory:")
        self.table.execute("CREATE VIRTUAL TABLE texts USING fts5(terms, content='', tokenize='unicode61')")
        indexed = IndexedText.objects.filter(namespace=chunk_namespace(base.pk)).values_list("key", "terms")
        self.table.executemany("INSERT INTO texts(rowid, terms) VALUES (?, ?)", ((int(k), t) for k, t in indexed))

    def read_vectors(self, base: KnowledgeBase) -> NDArray[np.float32]:
        place = vector_namespace(chunk_namespace(base.pk), get_embedder().full_name)
        found: dict[str, NDArray[np.float32]] = {}
        for batch in batched(map(str, self.keys)):
            found |= get_store().fetch(place, batch)
        return np.stack([found[str(key)] for key in self.keys])

    def search(self, text: str, vector: NDArray[np.float32], top_k: int, wanted: Wanted) -> list[str]:
        counts = self.find_counting(wanted)
        lists = [self.find_words(text, counts), self.find_nearest(vector, counts)]
        scores: dict[int, float] = {}
        for found in lists:
            for rank, key in enumerate(found, 1):
                scores[key] = scores.get(key, 0.0) + 1 / (SMOOTHING + rank)
        return [self.texts[key] for key in sorted(scores, key=lambda key: -scores[key])[:top_k]]

    def find_counting(self, wanted: Wanted) -> NDArray[np.bool_] | None:
        documents = set(wanted.doc_ids)
        for tag in wanted.tags:
            documents = self.tags[tag]
        return np.isin(self.documents, list(documents)) if documents else None

    def find_nearest(self, vector: NDArray[np.float32], counts: NDArray[np.bool_] | None) -> Sequence[int]:
        scores = self.vectors @ vector
        if counts is not None:
            scores[~counts] = -2
        best = np.argpartition(-scores, DEPTH)[:DEPTH]
        return [int(self.keys[row]) for row in best[np.argsort(-scores[best])] if scores[row] > -2]

    def find_words(self, text: str, counts: NDArray[np.bool_] | None) -> Sequence[int]:
        words = " OR ".join(f'"{term}"' for term in dict.fromkeys(fulltext.terms(text)))
        limit = DEPTH if counts is None else -1
        rows = self.table.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (words, limit))
        found = np.array([row[0] for row in rows], dtype=np.int64)
        if counts is not None:
            found = found[np.isin(found, self.keys[counts])][:DEPTH]
        return [int(key) for key in found]
