"""Searching the memories that a person looks through: several agents' and people's at once, by meaning and words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.utils import timezone

from memories.filtering import MemoryFilter, list_bounds, list_scopes, listed_for, narrow
from memories.models import Memory, MemoryTally
from memories.models.memories import MemoryQuerySet
from memories.namespaces import memory_namespace
from memories.search import Found, Query, as_found, find_hits_in, find_relevance, is_relevant
from xiajiao.batches import batched
from xiajiao.embeddings import embed_query
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.fulltext import Namespaces, Narrowed
from xiajiao.models import User
from xiajiao.retrieval import Hit
from xiajiao.vectorstores.base import Vector

HITS = 50
# A little more than is shown, for some of it has ended.
DEPTH = 60
# What the filters leave of so few memories is searched exactly.
FEW = 2000
# Whose nearness is measured: twice what is shown.
MEASURED = 2 * HITS
# What is so much fainter than the best is left out, unless a conversation would recall it.
FAINT = 0.5
# Of the newest so many, what was typed is looked for in the texts themselves: parts of words, and what no index holds.
LITERALLY, LITERALLY_PAST = 2000, 5000


@dataclass(frozen=True)
class PanelHit:
    """`parts`: the evidence, shares of 1; `literal` where the text itself was looked through."""

    memory: Memory
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class PanelHits:
    """Best first. `is_degraded`: the embedder is down, words alone were searched. `is_cut`: there was more."""

    found: list[PanelHit]
    is_degraded: bool = False
    is_cut: bool = False


@dataclass(frozen=True)
class KeyFilter:
    """Of keys, those whose memories are among the rows; each is asked for once."""

    rows: MemoryQuerySet
    known: dict[str, bool] = field(default_factory=dict)

    def __call__(self, keys: Collection[str]) -> list[str]:
        for batch in batched(key for key in keys if key not in self.known):
            self.known.update(dict.fromkeys(batch, False))
            passed = self.rows.filter(pk__in=batch).values_list("pk", flat=True)
            self.known.update({str(pk): True for pk in passed})
        return [key for key in keys if self.known[key]]


def find(user: User, wanted: MemoryFilter) -> PanelHits:
    """Active ones by meaning and words, best first; behind them others by their text."""
    query = Query(wanted.q, make_vector(wanted.q), is_explicit=True)
    scopes = [narrow(rows, wanted) for rows in list_scopes(user, wanted)]
    hits = find_active(user, wanted, query, scopes)
    if len(hits) <= HITS:
        hits += find_literally(wanted, scopes, {hit.memory.pk for hit in hits})
    return PanelHits(hits[:HITS], is_degraded=query.vector is None, is_cut=len(hits) > HITS)


def find_matching(user: User, wanted: MemoryFilter) -> MemoryQuerySet:
    """All that match, for what is done to many at once; of a keyword search, what it shows."""
    rows = narrow(listed_for(user, wanted), wanted)
    if not wanted.q:
        return rows
    return rows.filter(pk__in=[hit.memory.pk for hit in find(user, wanted).found])


def list_found(user: User, wanted: MemoryFilter) -> list[MemoryQuerySet]:
    """The same, in parts of which none has a row of another; each is a range of an index."""
    if wanted.q:
        return [find_matching(user, wanted)]
    return [narrow(rows, wanted) for rows in list_scopes(user, wanted)]


def find_active(user: User, wanted: MemoryFilter, query: Query, scopes: Sequence[MemoryQuerySet]) -> list[PanelHit]:
    filters = KeyFilter(narrow(listed_for(user, wanted), wanted).active().order_by())
    few = find_few([rows.active().order_by() for rows in scopes]) if wanted.is_choosy else None
    hits = search(list_places(user, wanted), query, few, filters if wanted.is_choosy else None)
    known = set(filters([hit.key for hit in hits]))
    best = [hit for hit in hits if hit.key in known][:MEASURED]
    return [PanelHit(found.memory, found.parts) for found in choose(query, measure(query, best))]


def search(
    places: Mapping[str, list[str]],
    query: Query,
    few: Mapping[str, list[str]] | None,
    filters: KeyFilter | None,
) -> list[Hit]:
    """Of all stores together, by the fused rank in each: whatever the filters leave, exactly where that is `few`."""
    hits: list[Hit] = []
    for store, names in places.items():
        namespaces: Namespaces = names
        if few is not None:
            namespaces = {name: few[name] for name in names if name in few}
        elif filters is not None:
            namespaces = Narrowed(names, filters)
        hits += find_hits_in(namespaces, query, DEPTH, store)
    return sorted(hits, key=lambda hit: -hit.score)


def list_places(user: User, wanted: MemoryFilter) -> dict[str, list[str]]:
    """The namespaces in which there is something to search, by the vector store that holds them."""
    places: dict[str, list[str]] = defaultdict(list)
    agent = Q() if wanted.agent is None else Q(agent=wanted.agent)
    for bound in list_bounds(user, wanted):
        rows = MemoryTally.objects.filter(bound, agent).order_by()
        for store, agent_id, user_id in rows.values_list("agent__vectors_in", "agent_id", "user_id").distinct():
            places[store].append(memory_namespace(agent_id, user_id))
    return places


def find_few(scopes: Sequence[MemoryQuerySet]) -> Mapping[str, list[str]] | None:
    """All that the filters leave, by namespace; None where that is many."""
    if sum(scope[: FEW + 1].count() for scope in scopes) > FEW:
        return None
    keys: dict[str, list[str]] = defaultdict(list)
    for agent_id, user_id, pk in chain.from_iterable(rows.values_list("agent_id", "user_id", "pk") for rows in scopes):
        keys[memory_namespace(agent_id, user_id)].append(str(pk))
    return keys


def measure(query: Query, hits: Sequence[Hit]) -> list[Found]:
    """With the evidence, which compares across agents, as fused ranks don't."""
    memories = Memory.objects.select_related("agent", "type", "user").in_bulk([int(hit.key) for hit in hits])
    relevance = find_relevance(query, memories)
    return [as_found(memories[pk], hit, relevance.get(pk)) for hit in hits if (pk := int(hit.key)) in memories]


def choose(query: Query, found: Sequence[Found]) -> list[Found]:
    near = [each for each in found if is_relevant(each.memory.agent, query, each)]
    best = sorted(near, key=lambda each: (strength(each), each.rank), reverse=True)
    usual = replace(query, is_explicit=False)
    least = strength(best[0]) * FAINT if best else 0.0
    return [each for each in best if strength(each) >= least or is_relevant(each.memory.agent, usual, each)]


def strength(found: Found) -> float:
    return found.parts.get("relevance", 0.0) + found.parts.get("coverage", 0.0)


def find_literally(wanted: MemoryFilter, scopes: Sequence[MemoryQuerySet], known: Collection[int]) -> list[PanelHit]:
    now = timezone.now()
    past = Q(enabled=False) | Q(valid_to__lte=now) | Q(valid_from__gt=now)
    condition, most = (Q(), LITERALLY) if wanted.state == "active" else (past, LITERALLY_PAST)
    words = Q()
    for word in wanted.q.split():
        words &= Q(content__icontains=word) | Q(title__icontains=word)
    keys: list[int] = []
    for scope in scopes:
        newest = scope.filter(condition).order_by("-updated_at", "-pk")
        # As a column: as a condition of its own it would be asked of all rows before those are counted off.
        asked = newest.annotate(says=ExpressionWrapper(words, BooleanField()))
        rows = asked.values_list("pk", "says")[:most]
        keys += [pk for pk, says in rows if says and pk not in known][: HITS + 1]
    memories = Memory.objects.select_related("agent", "type", "user").filter(pk__in=keys[: 2 * HITS])
    return [PanelHit(memory, {"literal": 1.0}) for memory in memories.order_by("-updated_at", "-pk")]


def make_vector(text: str) -> Vector | None:
    """None while the embedder is down: then words alone find."""
    try:
        return embed_query(text)
    except EmbeddingError:
        return None
