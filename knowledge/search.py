"""Finding chunks by meaning and by words: the one function of the chat, the tools, the command and the test page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db.models import Exists, OuterRef, QuerySet, Sum

from knowledge.models import Chunk, Document, DocumentTag, KnowledgeBase
from knowledge.models.documents import DocumentQuerySet
from knowledge.namespaces import chunk_namespace
from xiajiao import retrieval
from xiajiao.batches import batched
from xiajiao.embeddings import BaseEmbedder, get_embedder
from xiajiao.embeddings.centring import Passage, aim, measure_relevance
from xiajiao.embeddings.deadline import embed_in_time
from xiajiao.fulltext import Namespaces, Narrowed
from xiajiao.reranking import is_reranking, rerank
from xiajiao.retrieval import EmbeddedQuery, Hit
from xiajiao.vectorstores import get_store, vector_namespace
from xiajiao.vectorstores.base import Vector

# Up to so many chunks that a filter leaves are searched each; of more, those that both indexes rank first are asked.
FEW = 20_000
# Switched-off and deleted ones are in the indexes too: so many times more is asked for than is wanted.
OVERFETCH, LEAST = 3, 30
# So many of the best a reranker reads.
RERANKED = 30
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
    of both sides. `is_relevant`: over the floor, so that a turn is given it. `rerank`: the reranker's score, None
    where it was not asked."""

    chunk: Chunk
    hit: Hit
    relevance: float | None
    is_relevant: bool
    rerank: float | None = None

    @property
    def parts(self) -> dict[str, float]:
        """What spoke for it, rounded; without what is not known."""
        parts = {"relevance": self.relevance, "dense": self.hit.dense, "lexical": self.hit.lexical}
        parts |= {"coverage": self.hit.coverage, "fused": self.hit.score, "rerank": self.rerank}
        return {name: round(float(value), 4) for name, value in parts.items() if value is not None}


@dataclass(frozen=True)
class Findings:
    """Best first. `is_degraded`: an embedder is down, and words alone were searched. `rerank_failure`: why the reranker
    did not order them, slow or failed."""

    found: Sequence[Found]
    is_degraded: bool = False
    rerank_failure: str = ""

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
        found += search_group(group, text, query, max(top_k, RERANKED) if is_reranking() else top_k, wanted)
    best = sorted(found, key=lambda each: (each.is_relevant, each.hit.score), reverse=True)
    ordered, failure = put_in_order(text, best)
    return Findings(ordered[:top_k], is_degraded, failure)


def put_in_order(text: str, found: Sequence[Found]) -> tuple[list[Found], str]:
    """By the reranker, where there is one: the best RERANKED of what is relevant; all else stays behind, as it was."""
    asked = [each for each in found[:RERANKED] if each.is_relevant]
    answer = rerank(text, [each.chunk.searchable for each in asked])
    if not answer.scores:
        return list(found), answer.failure
    rated = [replace(each, rerank=score) for each, score in zip(asked, answer.scores, strict=True)]
    first = sorted(rated, key=lambda each: each.rerank or 0.0, reverse=True)
    return [*first, *found[len(asked) :]], ""


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
    documents = narrow(Document.objects.searched().filter(base__in=[base.pk for base in bases]), wanted)
    namespaces = choose_namespaces(bases, documents, wanted)
    embedded = None if query is None else EmbeddedQuery(aim(*query, text), query[0])
    hits = retrieval.search(namespaces, text, embedded, max(top_k * OVERFETCH, LEAST), get_store())
    rows = find_searched(documents, [hit.key for hit in hits]).select_related("document__base", "parent")
    chunks = {chunk.pk: chunk for chunk in rows}
    kept = [hit for hit in hits if int(hit.key) in chunks][:top_k]
    relevance = find_relevance(query, text, kept, chunks)
    return [as_found(chunks[int(hit.key)], hit, relevance.get(int(hit.key)), query) for hit in kept]


def narrow(documents: DocumentQuerySet, wanted: Wanted) -> DocumentQuerySet:
    if wanted.doc_ids:
        documents = documents.filter(doc_id__in=list(wanted.doc_ids))
    for tag in wanted.tags:
        documents = documents.filter(Exists(DocumentTag.objects.filter(document=OuterRef("pk"), tag=tag)))
    return documents


def choose_namespaces(bases: Sequence[KnowledgeBase], documents: DocumentQuerySet, wanted: Wanted) -> Namespaces:
    names = {base.pk: chunk_namespace(base.pk) for base in bases}
    if not wanted.is_choosy:
        return list(names.values())
    if (documents.aggregate(held=Sum("chunk_count"))["held"] or 0) > FEW:
        return Narrowed(list(names.values()), partial(keep_searched, documents))
    keys: dict[str, list[str]] = {name: [] for name in names.values()}
    rows = Chunk.objects.filter(enabled=True, document__in=documents).order_by()
    for pk, base_id in rows.values_list("pk", "document__base"):
        keys[names[base_id]].append(str(pk))
    return keys


def find_searched(documents: DocumentQuerySet, keys: Collection[str]) -> QuerySet[Chunk]:
    """By key first: a planner that begins with the documents would read every chunk of a base."""
    counts = Exists(documents.filter(pk=OuterRef("document")))
    return Chunk.objects.filter(counts, pk__in=[int(key) for key in keys], enabled=True).order_by()


def keep_searched(documents: DocumentQuerySet, keys: Collection[str]) -> list[str]:
    found = (find_searched(documents, batch).values_list("pk", flat=True) for batch in batched(keys))
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
