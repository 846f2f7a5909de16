"""Forget a memory for good: from all places where its words lie, with a tombstone that holds none of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from chat.extraction.places import with_lines
from chat.models import Message
from memories.locks import write_locks
from memories.models import Memory
from memories.places import find_wordings
from memories.profiles.places import find_files
from memories.tombstones import bury, embed_wordings
from xiajiao.places import Forgotten, Place, all_places


@dataclass(frozen=True)
class Amount:
    """So much in a place: what lies there, or what was removed."""

    place: Place
    count: int


def describe(memory: Memory, message_ids: Collection[int] = ()) -> Forgotten:
    wordings = find_wordings(memory)
    owner = (memory.pk, memory.agent_id, memory.user_id)
    messages, newest = frozenset(message_ids), find_last_message()
    return with_lines(Forgotten(*owner, wordings, messages, last_message_id=newest))


def find_last_message() -> int:
    return Message.objects.aggregate(newest=Max("pk"))["newest"] or 0


def preview(memory: Memory) -> list[Amount]:
    """What would be removed, by place; where nothing is, none."""
    forgotten = describe(memory)
    amounts = [Amount(place, place.count(forgotten)) for place in all_places()]
    return [amount for amount in amounts if amount.count]


def forget(memory: Memory, message_ids: Collection[int] = ()) -> list[Amount]:
    """Remove it now and for good, with the texts of these messages of its person; what was removed, by place.

    Doing it again removes what is left of it. Nothing brings it back but the person who says it anew.
    """
    forgotten = describe(memory, message_ids)
    return remove(memory, forgotten) + remove_outside(forgotten)


def remove(
    memory: Memory,
    forgotten: Forgotten,
    also: Callable[[Sequence[Amount]], None] = lambda amounts: None,
    spared: Collection[str] = (),
) -> list[Amount]:
    """From the database, but for the places with these keys. Waits for the embedder first. `also` is called in the
    transaction that does it."""
    vectors = embed_wordings(forgotten.wordings)
    places = [place for place in all_places() if not place.is_outside and place.key not in spared]
    locked = [(memory.agent_id, memory.user_id), *((file.agent_id, file.user_id) for file in find_files(forgotten))]
    with transaction.atomic(), write_locks(locked):
        wordings = {wording: vectors.get(wording) for wording in forgotten.wordings}
        bury(memory, wordings, find_last_message())
        amounts = [Amount(place, place.scrub(forgotten)) for place in places]
        also(amounts)
    return amounts


def remove_outside(forgotten: Forgotten) -> list[Amount]:
    """From caches and files, which no transaction holds."""
    return [Amount(place, place.scrub(forgotten)) for place in all_places() if place.is_outside]
