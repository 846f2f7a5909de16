"""`indexing` of benchmarks/kb.py; Django is set up before this is imported."""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.kb_texts import write_document
from knowledge.adding import Offer, add_document
from knowledge.embedding import BATCH, embed_one
from knowledge.indexing import index
from knowledge.models import Chunk, Document, KnowledgeBase, SemanticIndex
from xiajiao.batches import batched
from xiajiao.embeddings import get_embedder
from xiajiao.models import User

# Characters of a paragraph, of which each becomes a chunk; so many in a document.
CHARACTERS, PARAGRAPHS = 170, 128
FOREVER = 10.0**9


@dataclass
class Spent:
    """Seconds by the clock, and of the processor, children's too."""

    wall: float = 0.0
    processor: float = 0.0

    def add(self, work: Callable[[], object]) -> None:
        began, used = time.perf_counter(), read_processor()
        work()
        self.wall += time.perf_counter() - began
        self.processor += read_processor() - used


def read_processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(wanted: int) -> dict[str, Any]:
    owner = User.objects.create(username="bench")
    base = KnowledgeBase.objects.create(name="Bench", owner=owner, chunk_size=64, chunk_overlap=0)
    get_embedder().embed_passages(["warm up"])
    reading, embedding, alone = Spent(), Spent(), Spent()
    chooser, number, lengths = random.Random(1), 0, [0]
    while len(lengths) - 1 < wanted:
        document = read(base, write_document(chooser, PARAGRAPHS, CHARACTERS), f"{number}.txt", reading)
        texts = [chunk.searchable for chunk in Chunk.objects.filter(document=document)]
        lengths += map(len, texts)
        ways = [partial(embed, document.pk, embedding), partial(embed_alone, texts, alone)]
        for way in ways if number % 2 else reversed(ways):
            way()
        number += 1
    return tell(reading, embedding, alone, lengths[1:], number)


def read(base: KnowledgeBase, text: str, name: str, spent: Spent) -> Document:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        added = add_document(base, Offer(path, name))
        spent.add(lambda: index(added.document))
    document = Document.objects.get(pk=added.document.pk)
    assert document.state == Document.State.READY, document.reason
    return document


def embed(document_id: int, spent: Spent) -> None:
    job = SemanticIndex.objects.get(document=document_id)
    spent.add(lambda: embed_one(job, FOREVER))
    assert SemanticIndex.objects.get(pk=job.pk).state == SemanticIndex.State.READY


def embed_alone(texts: list[str], spent: Spent) -> None:
    embedder = get_embedder()
    spent.add(lambda: [embedder.embed_passages(batch) for batch in batched(texts, BATCH)])


def tell(reading: Spent, embedding: Spent, alone: Spent, lengths: list[int], documents: int) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "chunks, of documents": f"{len(lengths):,}, {documents}",
        "characters of a chunk, on average": round(sum(lengths) / len(lengths)),
        "embedder": get_embedder().full_name,
    }
    for name in ("wall", "processor"):
        read_for, embedded_for, bare = (getattr(spent, name) for spent in (reading, embedding, alone))
        figures[f"{name}: files to full text, s"] = round(read_for, 1)
        figures[f"{name}: vectors, s"] = round(embedded_for, 1)
        figures[f"{name}: the embedder alone, s"] = round(bare, 1)
        figures[f"{name}: whole / embedder alone"] = round((read_for + embedded_for) / bare, 3)
    return figures
