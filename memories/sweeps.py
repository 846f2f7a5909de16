"""What is done to memories in the background."""

from __future__ import annotations

from django.utils import timezone

from memories.changes import UNDO_TIME
from memories.indexing import Embedded, current_model, embed_texts, index, unindex
from memories.locks import write_lock
from memories.models import Memory

# Memories in one run, and in one call of the embedder.
MOST, BATCH = 1000, 32


def purge() -> int:
    """Remove deleted memories whose time to be brought back is over; how many they were."""
    due = Memory.objects.filter(deleted_at__lt=timezone.now() - UNDO_TIME)
    purged = 0
    for memory in due.select_related("agent")[:MOST]:
        with write_lock(memory.agent_id, memory.user_id):
            # Brought back a moment ago: the row is asked again.
            if due.filter(pk=memory.pk).exists():
                unindex(memory)
                memory.delete()
                purged += 1
    return purged


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
