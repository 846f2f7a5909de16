"""Why a search has not brought a chunk that somebody expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from knowledge.models import Chunk
from knowledge.namespaces import chunk_namespace
from knowledge.search import COVERAGE_ALONE, STRONG_COVERAGE, make_query, search_chunks
from xiajiao import fulltext
from xiajiao.embeddings.centring import Passage, measure_relevance
from xiajiao.fulltext.terms import words
from xiajiao.vectorstores import get_store, vector_namespace

# How far down it is looked for.
DEPTH = 200


@dataclass(frozen=True)
class Absence:
    """`rank` counts from 1, None: not among the best DEPTH. `obstacles` are codes that wording.py says; where there is
    none, it was found, or others fit better. `missing`: words of the query that the chunk doesn't hold."""

    chunk: Chunk
    rank: int | None = None
    relevance: float | None = None
    floor: float | None = None
    coverage: float = 0.0
    missing: list[str] = field(default_factory=list)
    obstacles: list[str] = field(default_factory=list)


def explain_absence(chunk: Chunk, text: str) -> Absence:
    """Looked for in its own base, as a turn would."""
    base = chunk.document.base
    findings = search_chunks([base], text, DEPTH)
    rank = next((at for at, each in enumerate(findings.found, 1) if each.chunk.pk == chunk.pk), None)
    relevance, floor = measure(chunk, text)
    hits = fulltext.search({chunk_namespace(base.pk): [str(chunk.pk)]}, text, 1)
    coverage = hits[0].coverage if hits else 0.0
    found = Absence(chunk, rank, relevance, floor, coverage, list_missing(chunk, text))
    return Absence(**{**vars(found), "obstacles": list(find_obstacles(found, findings.is_degraded))})


def measure(chunk: Chunk, text: str) -> tuple[float | None, float | None]:
    """How near its meaning is to the query's, and how near it must be; None without a vector."""
    query = make_query(text, chunk.document.base.embedder)
    if query is None:
        return None, None
    embedder, vector = query
    place = vector_namespace(chunk_namespace(chunk.document.base_id), embedder.full_name)
    stored = get_store().fetch(place, [str(chunk.pk)])
    floor = embedder.calibration.floor
    if not stored:
        return None, floor
    passage = Passage(chunk.searchable, stored[str(chunk.pk)])
    return measure_relevance(embedder, vector, text, [passage])[0], floor


def list_missing(chunk: Chunk, text: str) -> list[str]:
    held = set(fulltext.terms(chunk.searchable))
    return [term for term in dict.fromkeys(word.term for word in words(text)) if term not in held][:20]


def find_obstacles(found: Absence, is_degraded: bool) -> Iterator[str]:
    chunk, document = found.chunk, found.chunk.document
    checks = {
        "deleted": document.deleted_at is not None,
        "document_off": not document.enabled,
        "chunk_off": not chunk.enabled,
        "embedder_down": is_degraded,
        "no_vector": not is_degraded and not chunk.embedded_with,
        "other_model": not is_degraded and bool(chunk.embedded_with) and found.relevance is None,
        "no_word": not found.coverage,
        "under_floor": is_under_floor(found),
    }
    yield from (code for code, holds in checks.items() if holds)


def is_under_floor(found: Absence) -> bool:
    """As knowledge/search.py judges what it found."""
    if found.relevance is None or found.floor is None:
        return found.coverage < COVERAGE_ALONE
    return found.relevance < found.floor and found.coverage < STRONG_COVERAGE
