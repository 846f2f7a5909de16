"""What is done to memories in the background."""

from __future__ import annotations

from itertools import groupby

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memories.changes import UNDO_TIME
from memories.indexing import Embedded, current_model, embed_texts, index, unindex_all
from memories.locks import write_lock
from memories.models import BulkChange, Memory, MemoryRevision
from memories.models.memories import MemoryQuerySet
from xiajiao.batches import batched

# Memories in one run, and in one call of the embedder.
MOST, BATCH = 1000, 32
MOST_PURGED, PURGED_AT_ONCE = 10_000, 100


def purge() -> int:
    """Remove deleted memories whose time to be brought back is over; how many they were."""
    purged = 0
    owners = find_due().order_by("agent_id", "user_id", "pk").values_list("agent_id", "user_id", "pk")[:MOST_PURGED]
    for (agent_id, user_id), group in groupby(owners, key=lambda row: row[:2]):
        for ids in batched((pk for _agent, _user, pk in group), PURGED_AT_ONCE):
            with write_lock(agent_id, user_id):
                # Brought back a moment ago: the rows are asked again.
                rows = list(find_due().filter(pk__in=ids).select_related("agent"))
                unindex_all(rows)
                Memory.objects.filter(pk__in=[memory.pk for memory in rows]).delete()
                purged += len(rows)
    return purged


def find_due() -> MemoryQuerySet:
    """Those deleted together with many others are held until these are all deleted and ten minutes are over."""
    due = Memory.objects.filter(deleted_at__lt=timezone.now() - UNDO_TIME)
    holding = list(BulkChange.objects.holding().values_list("pk", flat=True))
    held = MemoryRevision.objects.filter(memory=OuterRef("pk"), bulk__in=holding)
    return due.exclude(Exists(held)) if holding else due


def embed_unembedded() -> int:
    """Give vectors of the present embedder to memories that have none; how many they were. Raises EmbeddingError."""
    model = current_model()
    waiting = Memory.objects.unembedded(model).order_by("pk").values_list("pk", "content")[:MOST]
    rows = list(waiting)
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        embedded = embed_texts([content for _pk, content in batch])
        for (pk, _content), vector in zip(batch, embedded, strict=True):
            store_vector(pk, vector)
    return len(rows)


def store_vector(pk: int, embedded: Embedded) -> None:
    """Nothing where the memory changed or went meanwhile: another run of the sweep finds it."""
    memory = Memory.objects.filter(pk=pk).first()
    if memory is None:
        return
    with write_lock(memory.agent_id, memory.user_id):
        current = Memory.objects.select_related("agent").filter(pk=pk, content=embedded.text).first()
        if current is not None:
            index(current, embedded)
