"""The memories that a person looks through, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from memories.filtering import MemoryFilter, list_scopes, narrow
from memories.finding import PanelHit, PanelHits, find
from memories.models import Memory, MemoryRevision
from memories.paging import Paging, Place, place_of, rank, read_places
from xiajiao.models import User

PAGE = 50


@dataclass(frozen=True)
class MemoryRow:
    """`last`: what was done to it last. `parts`: why the search found it; empty where nothing was searched for."""

    memory: Memory
    last: MemoryRevision | None
    parts: Mapping[str, float]


@dataclass(frozen=True)
class MemoryPage:
    """`previous` and `next` are the places that the pages before and behind this one end and begin at.

    `is_degraded`: the embedder is down, words alone were searched. `is_cut`: the search found more than it shows.
    """

    rows: Sequence[MemoryRow]
    previous: Place | None = None
    next: Place | None = None
    is_degraded: bool = False
    is_cut: bool = False


def browse(user: User, wanted: MemoryFilter, paging: Paging) -> MemoryPage:
    if wanted.q:
        finding = find(user, wanted)
        rows = as_rows([hit.memory for hit in in_order(finding.found, paging)], finding)
        return MemoryPage(rows, is_degraded=finding.is_degraded, is_cut=finding.is_cut)
    scopes = [narrow(rows, wanted) for rows in list_scopes(user, wanted)]
    places = read_places(scopes, paging, PAGE + 1)
    if paging.before and len(places) <= PAGE:
        # What is left before it is the first page, and that is a whole one.
        return browse(user, wanted, Paging(paging.order))
    shown = places[-PAGE:] if paging.before else places[:PAGE]
    rows = as_rows(read_memories([place.pk for place in shown]))
    is_first = not shown or not (paging.before or paging.after)
    is_last = not shown or (not paging.before and len(places) <= PAGE)
    return MemoryPage(rows, None if is_first else shown[0], None if is_last else shown[-1])


def in_order(found: Sequence[PanelHit], paging: Paging) -> Sequence[PanelHit]:
    """The best first, unless another order was chosen for what was found."""
    if not paging.is_chosen:
        return found
    order = paging.order
    return sorted(found, key=lambda hit: rank(place_of(hit.memory, order)), reverse=order.is_descending)


def read_memories(keys: Sequence[int]) -> list[Memory]:
    """In this order, without those that went meanwhile."""
    found = Memory.objects.select_related("agent", "type", "user").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def as_rows(memories: Sequence[Memory], finding: PanelHits | None = None) -> list[MemoryRow]:
    parts = {} if finding is None else {found.memory.pk: found.parts for found in finding.found}
    last = find_last_revisions(memories)
    return [MemoryRow(memory, last.get(memory.pk), parts.get(memory.pk, {})) for memory in memories]


def find_last_revisions(memories: Sequence[Memory]) -> dict[int, MemoryRevision]:
    """By memory; one row of each is read, however often it was heard again."""
    newest = MemoryRevision.objects.filter(memory=OuterRef("pk")).order_by("-at", "-pk").values("pk")[:1]
    rows = Memory.objects.filter(pk__in=[memory.pk for memory in memories]).order_by()
    keys = rows.annotate(last=Subquery(newest)).values_list("last", flat=True)
    return {revision.memory_id: revision for revision in MemoryRevision.objects.filter(pk__in=list(keys))}
