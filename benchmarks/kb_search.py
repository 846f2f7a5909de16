"""`search` of benchmarks/kb.py; Django is set up before this is imported."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db import transaction

from benchmarks.installation import percentile
from benchmarks.kb_naive import NaiveSearch
from benchmarks.kb_texts import LANGUAGES, write_sentence
from knowledge.models import Chunk, Document, DocumentTag, KnowledgeBase, ParentChunk
from knowledge.namespaces import chunk_namespace
from knowledge.search import Wanted, search_chunks
from knowledge.writing import index_texts
from xiajiao.embeddings import embed_query, get_embedder
from xiajiao.models import User
from xiajiao.vectorstores import get_store, vector_namespace

EMBEDDED, TOP_K = 400, 6
CHUNKS_EACH = 100
NOISE = 0.02
# Shares of the documents that have these tags.
TAGS = {"half": 0.5, "tenth": 0.1, "hundredth": 0.01}
QUESTIONS = {
    "en": ["Who looks after {0}?", "What was decided about the {0}?", "{0} in Lisbon", "When did {0} begin?"],
    "zh": ["谁负责{0}？", "{0}的情况怎么样", "为什么喜欢{0}", "{0}是什么时候开始的？"],
}


@dataclass(frozen=True)
class Took:
    """Seconds by the clock, and of the processor: the latter are the same on a busy machine."""

    wall: float
    processor: float


def measure(wanted: int, rounds: int) -> dict[str, Any]:
    base = KnowledgeBase.objects.filter(name="Bench").first() or fill(wanted)
    naive = NaiveSearch(base)
    documents = list(base.documents.order_by("pk").values_list("doc_id", flat=True))
    filters = {
        "no filter": Wanted(),
        "tag of half": Wanted(tags=["half"]),
        "tag of a tenth": Wanted(tags=["tenth"]),
        "tag of a hundredth": Wanted(tags=["hundredth"]),
        "one document": Wanted(doc_ids=documents[len(documents) // 2 :][:1]),
    }
    figures: dict[str, Any] = {"chunks, documents": f"{Chunk.objects.count():,}, {len(documents):,}"}
    cache.clear()
    asked = [time_of(partial(embed_query, ask(number))) for number in range(rounds)]
    figures["query's vector, ms (p50, p95; processor)"] = show(asked)
    for name, wanted_ in filters.items():
        ours, others = compare(base, naive, wanted_, rounds)
        figures[f"{name}: ours, ms (p50, p95; processor)"] = show(ours)
        figures[f"{name}: FTS5 and numpy, ms"] = show(others)
        ratios = [high / low for high, low in zip(list_figures(ours), list_figures(others), strict=True)]
        figures[f"{name}: ratio"] = "  ".join(f"{ratio:.2f}" for ratio in ratios)
    return figures


def compare(base: KnowledgeBase, naive: NaiveSearch, wanted: Wanted, rounds: int) -> tuple[list[Took], list[Took]]:
    """What each took; in turns, so that both meet the same machine."""
    ours: list[Took] = []
    others: list[Took] = []
    for number in range(-3, rounds):
        text = ask(abs(number))
        vector = embed_query(text)
        ways: list[tuple[list[Took], Callable[[], object]]] = [
            (ours, partial(search_chunks, [base], text, TOP_K, wanted)),
            (others, partial(naive.search, text, vector, TOP_K, wanted)),
        ]
        for times, way in ways if number % 2 else reversed(ways):
            took = time_of(way)
            if number >= 0:
                times.append(took)
    return ours, others


def time_of(work: Callable[[], object]) -> Took:
    began, used = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - began, time.process_time() - used)


def list_figures(took: Sequence[Took]) -> list[float]:
    """Milliseconds: median and 95th percentile by the clock, median of the processor."""
    wall = [each.wall for each in took]
    figures = [percentile(wall, 0.5), percentile(wall, 0.95), percentile([each.processor for each in took], 0.5)]
    return [1000 * figure for figure in figures]


def show(took: Sequence[Took]) -> str:
    return "  ".join(f"{figure:.1f}" for figure in list_figures(took))


def ask(number: int) -> str:
    chooser = random.Random(10_000 + number)
    language = LANGUAGES[number % 2]
    words = write_sentence(chooser, language).rstrip("。.").split()
    subject = " ".join(words[-3:]) if language == "en" else words[-1][-6:]
    return chooser.choice(QUESTIONS[language]).format(subject)


def fill(wanted: int) -> KnowledgeBase:
    """Rows, full text and vectors as indexing leaves them; texts of two sentences, and the mean of their vectors."""
    cache.clear()
    owner = User.objects.create(username="bench")
    base = KnowledgeBase.objects.create(name="Bench", owner=owner)
    chooser, noise = random.Random(1), np.random.default_rng(1)
    sentences = [write_sentence(chooser, LANGUAGES[number % 2]) for number in range(EMBEDDED)]
    vectors = get_embedder().embed_passages(sentences)
    for number in range(0, wanted, CHUNKS_EACH):
        pairs = [tuple(2 * chooser.randrange(EMBEDDED // 2) + number // 100 % 2 for _each in "ab") for _ in range(100)]
        texts = [f"{sentences[a]} {sentences[b]} No. {number + at}" for at, (a, b) in enumerate(pairs)]
        mixed = np.stack([vectors[a] + vectors[b] for a, b in pairs])
        mixed += NOISE * noise.standard_normal(mixed.shape)
        mixed = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
        write(base, number // CHUNKS_EACH, texts, mixed, chooser)
    return base


@transaction.atomic
def write(base: KnowledgeBase, number: int, texts: Sequence[str], vectors: Any, chooser: random.Random) -> None:
    model = get_embedder().full_name
    columns = {"state": Document.State.READY, "chunk_count": len(texts)}
    document = Document.objects.create(base=base, doc_id=f"{number}.md", name=f"{number}.md", **columns)
    DocumentTag.objects.bulk_create(
        [DocumentTag(document=document, tag=tag) for tag, share in TAGS.items() if chooser.random() < share]
    )
    parents = ParentChunk.objects.bulk_create(
        [
            ParentChunk(document=document, position=at, text="\n\n".join(texts[at : at + 4]))
            for at in range(0, len(texts), 4)
        ]
    )
    chunks = Chunk.objects.bulk_create(
        [
            Chunk(document=document, parent=parents[at // 4], position=at, text=text, embedded_with=model)
            for at, text in enumerate(texts)
        ]
    )
    index_texts(document, chunks)
    place = vector_namespace(chunk_namespace(base.pk), model)
    get_store().upsert(place, {str(chunk.pk): vector for chunk, vector in zip(chunks, vectors, strict=True)})
