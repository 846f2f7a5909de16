"""Finding chunks by meaning and by words: the one function of the chat, the tools, the command and the test page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Exists, OuterRef

from knowledge.models import Chunk, DocumentTag, KnowledgeBase
from knowledge.models.chunks import ChunkQuerySet
from knowledge.namespaces import chunk_namespace
from xiajiao import retrieval
from xiajiao.batches import batched
from xiajiao.embeddings import BaseEmbedder, get_embedder
from xiajiao.embeddings.centring import Passage, aim, measure_relevance
from xiajiao.embeddings.deadline import embed_in_time
from xiajiao.fulltext import Namespaces, Narrowed
from xiajiao.retrieval import EmbeddedQuery, Hit
from xiajiao.vectorstores import get_store, vector_namespace
from xiajiao.vectorstores.base import Vector

# Switched-off and deleted ones are in the indexes too: so many times more is asked for than is wanted.
OVERFETCH, LEAST = 3, 30
# Shares of the query's words that a chunk must hold to be relevant by them: with its meaning known, and without.
STRONG_COVERAGE, COVERAGE_ALONE = 0.5, 0.25


@dataclass(frozen=True)
class Wanted:
    """Which documents: those with one of these ids and, where tags are named, all of these."""

    doc_ids: Sequence[str] = ()
    tags: Sequence[str] = ()

    @property
    def is_choosy(self) -> bool:
        return bool(self.doc_ids or self.tags)


@dataclass(frozen=True)
class Found:
    """`relevance` is absolute, None where the chunk has no vector yet or the embedder is down; `hit` is the evidence
    of both sides. `is_relevant`: over the floor, so that a turn is given it."""

    chunk: Chunk
    hit: Hit
    relevance: float | None
    is_relevant: bool

    @property
    def parts(self) -> dict[str, float]:
        """What spoke for it, rounded; without what is not known."""
        parts = {"relevance": self.relevance, "dense": self.hit.dense, "lexical": self.hit.lexical}
        parts |= {"coverage": self.hit.coverage, "fused": self.hit.score}
        return {name: round(float(value), 4) for name, value in parts.items() if value is not None}


@dataclass(frozen=True)
class Findings:
    """Best first. `is_degraded`: an embedder is down, and words alone were searched."""

    found: Sequence[Found]
    is_degraded: bool = False

    @property
    def relevant(self) -> list[Found]:
        return [each for each in self.found if each.is_relevant]


def search_chunks(bases: Collection[KnowledgeBase], text: str, top_k: int, wanted: Wanted | None = None) -> Findings:
    """Of the bases together, at most `top_k`, with what is under the floor at the end."""
    wanted = wanted or Wanted()
    found: list[Found] = []
    is_degraded = False
    for alias, group in group_by_embedder(bases).items():
        query = make_query(text, alias)
        is_degraded = is_degraded or query is None
        found += search_group(group, text, query, top_k, wanted)
    best = sorted(found, key=lambda each: (each.is_relevant, each.hit.score), reverse=True)
    return Findings(best[:top_k], is_degraded)


def group_by_embedder(bases: Collection[KnowledgeBase]) -> Mapping[str, list[KnowledgeBase]]:
    groups: dict[str, list[KnowledgeBase]] = defaultdict(list)
    for base in bases:
        groups[base.embedder].append(base)
    return groups


def make_query(text: str, alias: str) -> tuple[BaseEmbedder, Vector] | None:
    """None while the embedder is down or slow."""
    vectors = embed_in_time([text], alias or None).vectors
    return (get_embedder(alias or None), vectors[0]) if vectors else None


def search_group(
    bases: Sequence[KnowledgeBase], text: str, query: tuple[BaseEmbedder, Vector] | None, top_k: int, wanted: Wanted
) -> list[Found]:
    """All of one embedder."""
    rows = narrow(Chunk.objects.searched().filter(document__base__in=[base.pk for base in bases]), wanted)
    names = [chunk_namespace(base.pk) for base in bases]
    namespaces: Namespaces = Narrowed(names, partial(keep_searched, rows)) if wanted.is_choosy else names
    embedded = None if query is None else EmbeddedQuery(aim(*query, text), query[0])
    hits = retrieval.search(namespaces, text, embedded, max(top_k * OVERFETCH, LEAST), get_store())
    chunks = rows.select_related("document__base", "parent").in_bulk([int(hit.key) for hit in hits])
    kept = [hit for hit in hits if int(hit.key) in chunks][:top_k]
    relevance = find_relevance(query, text, kept, chunks)
    return [as_found(chunks[int(hit.key)], hit, relevance.get(int(hit.key)), query) for hit in kept]


def narrow(rows: ChunkQuerySet, wanted: Wanted) -> ChunkQuerySet:
    if wanted.doc_ids:
        rows = rows.filter(document__doc_id__in=list(wanted.doc_ids))
    for tag in wanted.tags:
        rows = rows.filter(Exists(DocumentTag.objects.filter(document=OuterRef("document"), tag=tag)))
    return rows


def keep_searched(rows: ChunkQuerySet, keys: Collection[str]) -> list[str]:
    found = (rows.filter(pk__in=batch).values_list("pk", flat=True) for batch in batched(keys))
    return [str(pk) for batch in found for pk in batch]


def find_relevance(
    query: tuple[BaseEmbedder, Vector] | None, text: str, hits: Sequence[Hit], chunks: Mapping[int, Chunk]
) -> dict[int, float]:
    if query is None:
        return {}
    embedder, vector = query
    places: dict[str, list[str]] = defaultdict(list)
    for hit in hits:
        places[vector_namespace(hit.namespace, embedder.full_name)].append(hit.key)
    vectors = get_store().fetch_from(places)
    passages = {int(key): Passage(chunks[int(key)].searchable, found) for (_place, key), found in vectors.items()}
    measured = measure_relevance(embedder, vector, text, list(passages.values()))
    return dict(zip(passages, measured, strict=True))


def as_found(chunk: Chunk, hit: Hit, relevance: float | None, query: tuple[BaseEmbedder, Vector] | None) -> Found:
    if relevance is None or query is None:
        return Found(chunk, hit, relevance, hit.coverage >= COVERAGE_ALONE)
    is_near = relevance >= query[0].calibration.floor
    return Found(chunk, hit, relevance, is_near or hit.coverage >= STRONG_COVERAGE)
