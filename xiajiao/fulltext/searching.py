"""From a query to hits: which rows hold its rarest terms, then the exact score of the most promising ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

import numpy as np

from xiajiao.batches import batched, take_accepted
from xiajiao.fulltext.base import BaseTextIndex, Ids
from xiajiao.fulltext.encoding import encode, namespace_prefix
from xiajiao.fulltext.scoring import Query, measure_coverage, read_query, score_bm25, weigh
from xiajiao.models import IndexedText

# Rows that are looked at for all terms together, the rarest first: what bounds the time of a query.
MOST_ROWS = 40_000
# Of these so many are scored exactly, and so many are shown to who accepts only some.
SCORED, CANDIDATES = 100, 2000


@dataclass(frozen=True)
class Narrowed:
    """Namespaces of which some keys count: `accept` returns those of its keys that do. Rare ones may be missed."""

    names: Sequence[str]
    accept: Callable[[Collection[str]], Collection[str]]


# All of some namespaces; of each these keys alone; or what somebody accepts.
Namespaces = Sequence[str] | Mapping[str, Collection[str]] | Narrowed


@dataclass(frozen=True)
class TextHit:
    """`score` is BM25; `coverage` the share of the query, 0 to 1, weighted by how rare its words are."""

    namespace: str
    key: str
    score: float
    coverage: float


def find_texts(index: BaseTextIndex, namespaces: Namespaces, text: str, top_k: int) -> list[TextHit]:
    query, names = read_query(text), names_of(namespaces)
    if query.is_empty or not names or top_k < 1:
        return []
    weights, postings = find_postings(index, names, query)
    scored = max(SCORED, 3 * top_k)
    if isinstance(namespaces, Narrowed):
        # Each has to be accepted, too.
        scored = max(SCORED, 2 * top_k)
        candidates = choose_rows(weights, postings, CANDIDATES)
        ids = take_accepted(candidates, scored, partial(list_accepted, namespaces))
    elif isinstance(namespaces, Mapping):
        ids = choose_among(weights, postings, namespaces, scored)
    else:
        ids = choose_rows(weights, postings, scored)
    return score_rows(query, weights, names, ids)[:top_k]


def names_of(namespaces: Namespaces) -> list[str]:
    return list(namespaces.names if isinstance(namespaces, Narrowed) else namespaces)


def list_accepted(namespaces: Narrowed, ids: Collection[int]) -> list[int]:
    """Those of the rows whose keys count."""
    rows = IndexedText.objects.filter(pk__in=ids).values_list("pk", "namespace", "key")
    names = set(namespaces.names)
    keys = {pk: key for pk, namespace, key in rows if namespace in names}
    accepted = set(namespaces.accept(list(keys.values())))
    return [pk for pk, key in keys.items() if key in accepted]


def choose_among(
    weights: Mapping[str, float], postings: Mapping[str, Ids], keys: Mapping[str, Collection[str]], most: int
) -> list[int]:
    """The best rows of these keys. To find the row of each takes longer than to look at the best of all first, where
    there are many; where that doesn't bring enough, it is done all the same."""
    if sum(map(len, keys.values())) > CANDIDATES:
        wanted = {name: set(each) for name, each in keys.items()}
        candidates = choose_rows(weights, postings, CANDIDATES)
        ids = take_accepted(candidates, most, partial(list_among, wanted))
        if len(ids) >= most or len(candidates) < CANDIDATES:
            return ids
    among = find_ids(keys)
    return choose_rows(weights, {term: np.intersect1d(ids, among) for term, ids in postings.items()}, most)


def list_among(wanted: Mapping[str, Collection[str]], ids: Collection[int]) -> list[int]:
    rows = IndexedText.objects.filter(pk__in=ids).values_list("pk", "namespace", "key")
    return [pk for pk, namespace, key in rows if key in wanted.get(namespace, ())]


def find_postings(
    index: BaseTextIndex, namespaces: Sequence[str], query: Query
) -> tuple[dict[str, float], dict[str, Ids]]:
    """How much each term weighs, and the rows that hold the heaviest of them."""
    prefixes = {namespace_prefix(namespace) for namespace in namespaces}
    encoded = {term: [prefix + encode(term) for prefix in prefixes] for term in query.searched}
    counted = index.count([code for codes in encoded.values() for code in codes], MOST_ROWS)
    held = {term: [code for code in codes if counted.get(code)] for term, codes in encoded.items()}
    counts = {term: sum(counted[code] for code in codes) for term, codes in held.items()}
    size = IndexedText.objects.filter(namespace__in=namespaces).count()
    weights = weigh(query, counts, size)
    return weights, index.find({term: held[term] for term in choose_terms(weights, counts)}, MOST_ROWS)


def find_ids(keys: Mapping[str, Collection[str]]) -> Ids:
    """The rows of these keys of each namespace."""
    found: list[int] = []
    for namespace, wanted in keys.items():
        rows = IndexedText.objects.filter(namespace=namespace)
        for batch in batched(wanted):
            found += rows.filter(key__in=batch).values_list("pk", flat=True)
    return np.array(found, dtype=np.int64)


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
    rows = IndexedText.objects.filter(pk__in=ids).values_list("namespace", "key", "terms")
    names = set(namespaces)
    texts = [(namespace, key, terms.split()) for namespace, key, terms in rows if namespace in names]
    usual_length = fmean(len(terms) for *_names, terms in texts) if texts else 1.0
    hits = [
        TextHit(namespace, key, score_bm25(weights, terms, usual_length), measure_coverage(query, weights, set(terms)))
        for namespace, key, terms in texts
    ]
    return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, hit.namespace, hit.key))
