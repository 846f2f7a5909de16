"""The tags of memories as rows, beside the list that each memory shows."""

from __future__ import annotations

from collections.abc import Sequence

from memories.drafts import TAG_LENGTH
from memories.models import Memory, MemoryTag


def tags_of(memory: Memory) -> list[str]:
    """Each once, as the rows hold them."""
    return list(dict.fromkeys(str(tag)[:TAG_LENGTH] for tag in memory.tags))


def write_tags(memory: Memory) -> None:
    """Make the rows say what `memory.tags` says; in the row's transaction."""
    wanted = tags_of(memory)
    rows = MemoryTag.objects.filter(memory=memory)
    rows.exclude(tag__in=wanted).delete()
    known = set(rows.values_list("tag", flat=True))
    MemoryTag.objects.bulk_create([MemoryTag(memory=memory, tag=tag) for tag in wanted if tag not in known])


def add_tags(memories: Sequence[Memory]) -> None:
    """The tags of rows that are new."""
    MemoryTag.objects.bulk_create([MemoryTag(memory=memory, tag=tag) for memory in memories for tag in tags_of(memory)])
