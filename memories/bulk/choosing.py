"""Which memories a person means: those that were ticked, or all that a filter matches at this moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import transaction

from memories.bulk.deeds import Deed
from memories.bulk.outcomes import GONE, Outcome
from memories.filtering import MemoryFilter, seen_by
from memories.finding import find_matching
from memories.models import BulkBatch, BulkChange
from memories.models.memories import MemoryQuerySet
from xiajiao.batches import batched
from xiajiao.models import User

# Memories that are changed in one transaction: others who write wait for so many at the most.
BATCH = 250
# What is counted at the most: past it "more than" is honest enough.
COUNTED = 10_000

# agent, person, memory
Key = tuple[int, int | None, int]


@dataclass(frozen=True)
class Selection:
    """`ids`: what was ticked. `wanted`: all that this filter matches instead."""

    ids: Sequence[int] = ()
    wanted: MemoryFilter | None = None

    @property
    def as_json(self) -> dict[str, Any]:
        return {"ids": list(self.ids)} if self.wanted is None else {"filter": self.wanted.as_query()}


def choose(user: User, selection: Selection) -> MemoryQuerySet:
    """The memories that are meant, of those that the person may see; whether they may be changed is asked later."""
    if selection.wanted is None:
        return seen_by(user).filter(pk__in=selection.ids).order_by()
    return find_matching(user, selection.wanted).order_by()


def count_chosen(user: User, selection: Selection) -> int:
    """COUNTED + 1 where there are more."""
    return choose(user, selection)[: COUNTED + 1].count()


def begin(user: User, selection: Selection, deed: Deed) -> BulkChange:
    """The change as a row that waits for a worker, with the memories that are meant now; nothing is changed yet."""
    chosen = choose(user, selection).order_by("agent_id", "user_id", "pk").values_list("agent_id", "user_id", "pk")
    keys = list(chosen)
    missing = set(selection.ids) - {pk for _agent, _user, pk in keys}
    change = BulkChange(
        user=user, action=deed.action, arguments=dict(deed.arguments), selection=selection.as_json, total=len(keys)
    )
    if missing:
        change.total += len(missing)
        Outcome(skipped={GONE: sorted(missing)}).add_to(change)
    return write_down(change, keys)


@transaction.atomic
def write_down(change: BulkChange, keys: Iterable[Key]) -> BulkChange:
    """The change and its batches; `keys` in the order of agent and person."""
    change.save()
    BulkBatch.objects.bulk_create(cut(change, keys), batch_size=500)
    return change


def cut(change: BulkChange, keys: Iterable[Key]) -> Iterator[BulkBatch]:
    for (agent_id, user_id), group in groupby(keys, key=lambda key: key[:2]):
        for ids in batched((pk for _agent, _user, pk in group), BATCH):
            yield BulkBatch(change=change, agent_id=agent_id, user_id=user_id, memory_ids=ids)
