"""A new memory's row and indexes."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from memories.drafts import Draft, DraftError, Origin, hash_content
from memories.indexing import Embedded, index, index_texts
from memories.models import Agent, Memory, MemoryType
from memories.tagging import add_tags
from memories.tallying import tally_new
from memories.titles import title_key


def create(agent: Agent, user_id: int | None, draft: Draft, origin: Origin, embedded: Embedded | None) -> Memory:
    """Inside the write lock, from a cleaned draft; the revision is the caller's."""
    said_at = draft.said_at or timezone.now()
    memory = Memory.objects.create(
        agent=agent,
        user_id=user_id,
        type=find_type(draft.type_key),
        content=draft.content,
        content_hash=hash_content(draft.content),
        category=draft.category,
        title=draft.title,
        title_key=title_key(draft.title, draft.content),
        description=draft.description,
        tags=list(draft.tags),
        metadata=draft.metadata,
        importance=draft.importance,
        pinned=draft.pinned,
        quote=draft.quote,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        source=origin.source,
        **origin.columns,
        created_at=said_at,
        updated_at=said_at,
    )
    settle([memory])
    index(memory, embedded)
    return memory


def settle(memories: Sequence[Memory]) -> None:
    """What stands beside new rows, however they were written: their tags as rows, and the tallies.

    Inside the write lock. The indexes are the caller's, and so is `title_key`.
    """
    add_tags(memories)
    tally_new(memories)


def recreate(memories: Sequence[Memory]) -> None:
    """Rows as they were at another time or place, with what is derived from them; their revisions come with them.

    All of one agent and person, inside their write lock. Vectors are made by the sweep.
    """
    for memory in memories:
        memory.content_hash = hash_content(memory.content)
        memory.title_key = title_key(memory.title, memory.content)
    Memory.objects.bulk_create(memories)
    settle(memories)
    index_texts([memory for memory in memories if memory.is_findable])


def find_type(key: str) -> MemoryType:
    """What was to go to a type that is being deleted goes where its memories go. Raises DraftError for none."""
    found = MemoryType.objects.select_related("moves_to").filter(key=key).first()
    while found is not None and found.moves_to is not None:
        found = found.moves_to
    if found is None:
        raise DraftError(f"There is no memory type {key!r}.")
    return found
