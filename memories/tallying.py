"""How many memories there are, kept in the transaction of each change, so that no page counts them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, F

from memories.locks import write_lock
from memories.models import Agent, Memory, MemoryTally
from memories.models.memories import MemoryQuerySet

logger = logging.getLogger(__name__)
KEY = ("agent_id", "user_id", "category")


@dataclass(frozen=True)
class Heap:
    """Memories that one tally counts."""

    agent_id: int
    user_id: int | None
    category: str

    @property
    def rows(self) -> MemoryQuerySet:
        return counted(Memory.objects.filter(agent=self.agent_id, user=self.user_id, category=self.category))


def heap_of(memory: Memory) -> Heap:
    return Heap(memory.agent_id, memory.user_id, memory.category)


def is_counted(memory: Memory) -> bool:
    is_timeless = memory.valid_from is None and memory.valid_to is None
    return memory.enabled and memory.deleted_at is None and is_timeless


def counted(rows: MemoryQuerySet) -> MemoryQuerySet:
    return rows.filter(enabled=True, deleted_at__isnull=True, valid_from__isnull=True, valid_to__isnull=True)


def where_counted(memory: Memory) -> Heap | None:
    """The tally that counts the row as it stands: ask before a change, and tell `tally_changes` after it."""
    return heap_of(memory) if is_counted(memory) else None


def tally_changes(before: Sequence[Heap | None], memories: Sequence[Memory]) -> None:
    """Inside the write lock, when the rows are written; `before` as `where_counted` said of each, in the same order."""
    moved = Counter(where_counted(memory) for memory in memories)
    moved.subtract(before)
    for heap, count in moved.items():
        if heap is not None and count:
            add(heap, count)


def tally_new(memories: Iterable[Memory]) -> None:
    """Rows that are new; inside the write lock."""
    counts: Counter[Heap] = Counter()
    for memory in memories:
        counts[heap_of(memory)] += is_counted(memory)
    for heap, count in counts.items():
        add(heap, count)


def tally_gone(memory: Memory) -> None:
    """A row that is about to go for good, as it stands in the database: the one at hand may be older."""
    current = Memory.objects.select_for_update(no_key=True).filter(pk=memory.pk).first()
    heap = None if current is None else where_counted(current)
    if heap is not None:
        add(heap, -1)


def add(heap: Heap, count: int) -> None:
    rows = MemoryTally.objects.filter(agent=heap.agent_id, user=heap.user_id, category=heap.category)
    if not rows.update(count=F("count") + count):
        MemoryTally.objects.create(
            agent_id=heap.agent_id, user_id=heap.user_id, category=heap.category, count=max(count, 0)
        )


def check_tallies() -> int:
    """Count again, and mend what had drifted; how many tallies those were."""
    return sum(mend(heap) for heap in find_drifted())


def find_drifted() -> list[Heap]:
    """Tallies that don't say what counting says. Others may write meanwhile: `mend` looks again."""
    said = {Heap(row.agent_id, row.user_id, row.category): row.count for row in MemoryTally.objects.all()}
    found = {Heap(*key): 0 for key in Memory.objects.order_by().values_list(*KEY).distinct()}
    counts = counted(Memory.objects.order_by()).values_list(*KEY).annotate(Count("pk"))
    found |= {Heap(agent_id, user_id, category): count for agent_id, user_id, category, count in counts}
    pairs = {(heap.agent_id, heap.user_id) for heap in said}
    return [heap for heap in said | found if differs(heap, said, found) or (heap.agent_id, heap.user_id) not in pairs]


def differs(heap: Heap, said: Mapping[Heap, int], found: Mapping[Heap, int]) -> bool:
    return said.get(heap, 0) != found.get(heap, 0)


def mend(heap: Heap) -> bool:
    """Whether there was something to mend."""
    if not Agent.objects.filter(pk=heap.agent_id).exists():
        return False
    with write_lock(heap.agent_id, heap.user_id):
        tallies = MemoryTally.objects.filter(agent=heap.agent_id, user=heap.user_id, category=heap.category)
        said, count = tallies.values_list("count", flat=True).first(), heap.rows.count()
        if said == count:
            return False
        # Also where both are nothing: the row says that there is something to search.
        add(heap, count - (said or 0))
    logger.warning("The tally of %s said %s and says %s now.", heap, said, count)
    return True
