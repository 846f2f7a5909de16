"""From a query to hits: which rows hold its rarest terms, then the exact score of the most promising ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from xiajiao.fulltext.base import BaseTextIndex, Ids
from xiajiao.fulltext.encoding import encode, namespace_prefix
from xiajiao.fulltext.scoring import Query, measure_coverage, read_query, score_bm25, weigh
from xiajiao.models import IndexedText

# Rows that are looked at for all terms together, the rarest first: what bounds the time of a query.
MOST_ROWS = 40_000
# Of these so many are scored exactly.
SCORED = 100


@dataclass(frozen=True)
class TextHit:
    """`score` is BM25; `coverage` the share of the query, 0 to 1, weighted by how rare its words are."""

    namespace: str
    key: str
    score: float
    coverage: float


def find_texts(index: BaseTextIndex, namespaces: Sequence[str], text: str, top_k: int) -> list[TextHit]:
    query = read_query(text)
    if query.is_empty or not namespaces or top_k < 1:
        return []
    prefixes = {namespace_prefix(namespace) for namespace in namespaces}
    encoded = {term: [prefix + encode(term) for prefix in prefixes] for term in query.searched}
    counted = index.count([code for codes in encoded.values() for code in codes], MOST_ROWS)
    counts = {term: sum(counted.get(code, 0) for code in codes) for term, codes in encoded.items()}
    size = IndexedText.objects.filter(namespace__in=namespaces).count()
    weights = weigh(query, counts, size)
    chosen = choose_terms(weights, counts)
    found = index.find([code for term in chosen for code in encoded[term]], MOST_ROWS)
    postings = {term: np.concatenate([found[code] for code in encoded[term]]) for term in chosen}
    ids = choose_rows(weights, postings, max(SCORED, 3 * top_k))
    return score_rows(query, weights, namespaces, ids)[:top_k]


def choose_terms(weights: Mapping[str, float], counts: Mapping[str, int]) -> list[str]:
    """The heaviest terms that occur, as long as there is room for their rows; one at least."""
    chosen: list[str] = []
    room = MOST_ROWS
    for term in sorted((term for term, count in counts.items() if count), key=lambda term: -weights[term]):
        room -= counts[term]
        if room < 0 and chosen:
            break
        chosen.append(term)
    return chosen


def choose_rows(weights: Mapping[str, float], postings: Mapping[str, Ids], most: int) -> list[int]:
    """The rows with the greatest weight of terms; among equals the newest."""
    if not postings:
        return []
    found = np.concatenate(list(postings.values()))
    weight = np.repeat([weights[term] for term in postings], [len(ids) for ids in postings.values()])
    ids, places = np.unique(found, return_inverse=True)
    sums = np.bincount(places, weights=weight)
    order = np.lexsort((-ids, -sums))[:most]
    return [int(pk) for pk in ids[order]]


def score_rows(query: Query, weights: Mapping[str, float], namespaces: Sequence[str], ids: list[int]) -> list[TextHit]:
    rows = IndexedText.objects.filter(pk__in=ids, namespace__in=namespaces).values_list("namespace", "key", "terms")
    texts = [(namespace, key, terms.split()) for namespace, key, terms in rows]
    usual_length = fmean(len(terms) for *_names, terms in texts) if texts else 1.0
    hits = [
        TextHit(namespace, key, score_bm25(weights, terms, usual_length), measure_coverage(query, weights, set(terms)))
        for namespace, key, terms in texts
    ]
    return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, hit.namespace, hit.key))
