"""How well a text answers a query: BM25 (Robertson and Zaragoza, 2009) and the share of the query that it holds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xiajiao.fulltext.stopwords import STOP_WORDS
from xiajiao.fulltext.terms import Word, pairs_across_words, words

# As in Lucene.
SATURATION = 1.2
LENGTH_SHARE = 0.75
# A stop-word counts a little: it settles ties, and a query may hold nothing else.
STOP_WORD_SHARE = 0.02
PAIR_SHARE = 0.3
# Texts assumed beside those that exist, so that a namespace of three has sane weights too.
ASSUMED_TEXTS = 50
LONGEST_QUERY = 2000
MOST_TERMS = 200


@dataclass(frozen=True)
class Query:
    """The words of a query and the share with which each of its terms counts."""

    words: list[Word]
    shares: dict[str, float]

    @property
    def is_empty(self) -> bool:
        return not self.shares

    @property
    def says_something(self) -> bool:
        return any(not word.is_stop_word for word in self.words)

    @property
    def searched(self) -> list[str]:
        """The terms by which texts are found; stop-words only where there is nothing else."""
        return [term for term, share in self.shares.items() if share > STOP_WORD_SHARE or not self.says_something]


def read_query(text: str) -> Query:
    text = text[:LONGEST_QUERY]
    found = list(dict.fromkeys(words(text)))[:MOST_TERMS]
    shares = {term: share_of(term) for word in found for term in (word.term, *word.parts)}
    for pair in pairs_across_words(text)[:MOST_TERMS]:
        shares.setdefault(pair, PAIR_SHARE)
    return Query(found, shares)


def share_of(term: str) -> float:
    return STOP_WORD_SHARE if term in STOP_WORDS else 1.0


def weigh(query: Query, counts: Mapping[str, int], size: int) -> dict[str, float]:
    """Each term by how rare it is among `size` texts, of which `counts` hold it."""
    return {term: share * rarity(counts.get(term, 0), size) for term, share in query.shares.items()}


def rarity(count: int, size: int) -> float:
    size = max(size, count) + ASSUMED_TEXTS
    return math.log(1 + (size - count + 0.5) / (count + 1.5))


def score_bm25(weights: Mapping[str, float], terms: Sequence[str], usual_length: float) -> float:
    """Of a text with these terms; `usual_length` in terms."""
    occurrences = Counter(term for term in terms if term in weights)
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * len(terms) / max(usual_length, 1.0))
    return sum(weights[term] * n * (SATURATION + 1) / (n + damping) for term, n in occurrences.items())


def measure_coverage(query: Query, weights: Mapping[str, float], terms: set[str]) -> float:
    """0 to 1. A word that occurs in parts counts by the parts that do; stop-words alone are never much."""
    total = sum(weights[word.term] for word in query.words)
    held = sum(weights[word.term] * held_share(word, weights, terms) for word in query.words)
    return held / total * (1.0 if query.says_something else STOP_WORD_SHARE) if total else 0.0


def held_share(word: Word, weights: Mapping[str, float], terms: set[str]) -> float:
    if word.term in terms:
        return 1.0
    total = sum(weights[part] for part in word.parts)
    return sum(weights[part] for part in word.parts if part in terms) / total if total else 0.0
