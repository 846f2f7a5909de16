"""Search by meaning and by words at once, with the evidence of each kept beside the fused rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from xiajiao import fulltext
from xiajiao.batches import take_accepted
from xiajiao.embeddings import BaseEmbedder, get_embedder
from xiajiao.fulltext import Namespaces, Narrowed, TextHit
from xiajiao.vectorstores import BaseVectorStore, Vector, vector_namespace

# Cormack, Clarke and Büttcher, Reciprocal rank fusion (SIGIR 2009), but for this: a rank by words counts by the share
# of the query's words that the text holds. A rank says nothing of how good a list is, and where no text holds what is
# asked for (another language, other words) the best by words is a text with one word in common. Measured by
# `manage.py evaluate retrieval`; see docs/development.md.
SMOOTHING = 60
# What a rank by words counts where the text holds all of them, beside 1 for a rank by meaning: in the midst of what
# does best (1.1 to 1.5), chosen on every second question of LoCoMo.
WORDS = 1.25
# Each list is read deeper than what is asked for: a hit that both lists hold low down may beat the head of one.
DEPTH_FACTOR = 2
LEAST_DEPTH = 50
# Where somebody accepts only some, so many times more are shown at first; where that is not enough, all that may be.
ACCEPTED = 3

# (namespace, key)
Place = tuple[str, str]


@dataclass(frozen=True)
class EmbeddedQuery:
    """A query's vector with the embedder that made it, where that is not the installation's own."""

    vector: Vector
    embedder: BaseEmbedder

    def place_in(self, namespace: str) -> str:
        """Where the vectors stand with which it compares: models never mix."""
        return vector_namespace(namespace, self.embedder.full_name)


@dataclass(frozen=True)
class Hit:
    """`score` is the fused rank, good for ordering alone. The evidence is absolute: the cosine `dense`, the BM25 score
    `lexical`, the share `coverage` (0 to 1) of the query's words that the text holds. Ranks count from 1; None: not
    among the best of that list."""

    namespace: str
    key: str
    score: float
    dense: float | None
    dense_rank: int | None
    lexical: float | None
    lexical_rank: int | None
    coverage: float


def search(
    namespaces: Namespaces, query: str, vector: Vector | EmbeddedQuery | None, top_k: int, store: BaseVectorStore
) -> list[Hit]:
    """The best first, at most `top_k`, from the namespaces together; without a vector by words alone.

    `Namespaces` may name or choose the keys that count.
    """
    depth = max(DEPTH_FACTOR * top_k, LEAST_DEPTH)
    lexical = {(hit.namespace, hit.key): hit for hit in fulltext.search(namespaces, query, depth)}
    dense: dict[Place, float] = {}
    cosines: dict[Place, float] = {}
    if vector is not None:
        embedded = vector if isinstance(vector, EmbeddedQuery) else EmbeddedQuery(vector, get_embedder())
        dense = find_nearest(namespaces, embedded, depth, store)
        cosines = dense | measure(embedded, [place for place in lexical if place not in dense], store)
    return fuse(lexical, dense, cosines)[: max(top_k, 0)]


def find_nearest(
    namespaces: Namespaces, query: EmbeddedQuery, depth: int, store: BaseVectorStore
) -> dict[Place, float]:
    """The cosines of the nearest, the best first."""
    if isinstance(namespaces, Mapping):
        hits = {
            (name, hit.key): hit.score
            for name, keys in namespaces.items()
            for hit in store.search(query.place_in(name), query.vector, depth, keys=keys)
        }
        return dict(sorted(hits.items(), key=lambda hit: -hit[1])[:depth])
    if not isinstance(namespaces, Narrowed):
        return ask_store(namespaces, query, depth, depth, store)
    for most in (ACCEPTED * depth, fulltext.CANDIDATES):
        top_k = max(depth, most // max(len(namespaces.names), 1))
        found = ask_store(namespaces.names, query, top_k, most, store)
        accepted = take_accepted(found, depth, partial(list_accepted, namespaces))
        if len(accepted) >= depth or len(found) < top_k:
            break
    return {place: found[place] for place in accepted}


def ask_store(
    names: Sequence[str], query: EmbeddedQuery, top_k: int, most: int, store: BaseVectorStore
) -> dict[Place, float]:
    """The nearest of the namespaces together, the best first; at most `top_k` of one and `most` of all."""
    places = {query.place_in(name): name for name in names}
    nearest = store.search_all(list(places), query.vector, top_k, most)
    return {(places[place], hit.key): hit.score for place, hit in nearest}


def list_accepted(namespaces: Narrowed, places: Sequence[Place]) -> list[Place]:
    accepted = set(namespaces.accept([key for _name, key in places]))
    return [place for place in places if place[1] in accepted]


def measure(query: EmbeddedQuery, places: Sequence[Place], store: BaseVectorStore) -> dict[Place, float]:
    """The cosines of what words alone have found."""
    cosines: dict[Place, float] = {}
    for namespace in dict.fromkeys(namespace for namespace, _key in places):
        keys = [key for where, key in places if where == namespace]
        hits = store.search(query.place_in(namespace), query.vector, len(keys), keys=keys)
        cosines |= {(namespace, hit.key): hit.score for hit in hits}
    return cosines


def fuse(lexical: Mapping[Place, TextHit], dense: Mapping[Place, float], cosines: Mapping[Place, float]) -> list[Hit]:
    lexical_ranks = rank({place: hit.score for place, hit in lexical.items()})
    dense_ranks = rank(dense)
    hits = []
    for place in dict.fromkeys([*dense, *lexical]):
        text, cosine, dense_rank = lexical.get(place), cosines.get(place), dense_ranks.get(place)
        words = (text.score, lexical_ranks[place], text.coverage) if text else (None, None, 0.0)
        # Where words alone were searched, they decide by their rank.
        by_words = rate(words[1], words[2] if dense else 1.0)
        # What has no vector yet is believed to mean as much as it says.
        by_meaning = rate(dense_rank, 1.0) if cosine is not None else by_words
        hits.append(Hit(*place, by_meaning + WORDS * by_words, cosine, dense_rank, *words))
    return sorted(hits, key=lambda hit: (-hit.score, -(hit.dense or 0.0), hit.namespace, hit.key))


def rate(place: int | None, weight: float) -> float:
    """What a rank in one list counts; nothing where the text is not in it."""
    return 0.0 if place is None else weight / (SMOOTHING + place)


def rank(scores: Mapping[Place, float]) -> dict[Place, int]:
    """From 1 for the best; equals share a rank."""
    ordered = sorted(scores, key=lambda place: -scores[place])
    ranks: dict[Place, int] = {}
    for number, place in enumerate(ordered, start=1):
        is_equal = number > 1 and scores[place] == scores[ordered[number - 2]]
        ranks[place] = ranks[ordered[number - 2]] if is_equal else number
    return ranks
