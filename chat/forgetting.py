"""Forget a memory for good: from all places where its words lie, with a tombstone that holds none of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Max

from chat.models import Message, Recalled
from chat.provenance import Piece, quote
from chat.sayings import read_accounts
from chat.search import namespace
from memories.locks import write_lock
from memories.models import Memory
from memories.places import find_wordings
from memories.quoting import find_quote
from memories.tombstones import bury, embed_wordings
from xiajiao import fulltext
from xiajiao.places import Forgotten, Place, all_places

# Messages that are offered at most, and that the search brings for each wording.
MOST, HITS = 200, 50


@dataclass(frozen=True)
class Mention:
    """A message that says it; `pieces` are its text with what says it marked."""

    message: Message
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Amount:
    """So much in a place: what lies there, or what was removed."""

    place: Place
    count: int


def describe(memory: Memory, message_ids: Collection[int] = ()) -> Forgotten:
    wordings = find_wordings(memory)
    return Forgotten(memory.pk, memory.agent_id, memory.user_id, wordings, frozenset(message_ids))


def preview(memory: Memory) -> list[Amount]:
    """What would be removed, by place; where nothing is, none."""
    forgotten = describe(memory)
    amounts = [Amount(place, place.count(forgotten)) for place in all_places()]
    return [amount for amount in amounts if amount.count]


def find_mentions(memory: Memory) -> list[Mention]:
    """The person's messages and answers that say it: those it came from, that noted or knew it, and that a search
    finds. The newest first."""
    if memory.user_id is None:
        return []
    ids = find_turns(memory) | find_by_words(memory)
    rows = Message.objects.filter(pk__in=ids, conversation__user=memory.user_id, removed_at__isnull=True)
    found = rows.select_related("conversation").order_by("-pk")
    return [Mention(message, quote(memory, message.content)) for message in found if says(memory, message)][:MOST]


def find_turns(memory: Memory) -> set[int]:
    [account] = read_accounts([memory])
    ids = {pk for saying in account.sayings for pk in (saying.message_id, *saying.answer_ids)}
    known = Recalled.objects.filter(memory=memory).values_list("message_id", "message__parent_id")
    return ids | {pk for pair in known for pk in pair if pk is not None}


def find_by_words(memory: Memory) -> set[int]:
    hits = [
        hit
        for wording in (*find_wordings(memory), memory.quote)
        for hit in fulltext.search([namespace(memory.user_id or 0)], wording, HITS)
    ]
    return {int(hit.key[1:]) for hit in hits if hit.key.startswith("m")}


def says(memory: Memory, message: Message) -> bool:
    text = f"{message.content}\n{message.reasoning}"
    if message.pk in memory.message_ids or f"[M{memory.pk}]" in text:
        return True
    return any(find_quote(wording, text) for wording in find_wordings(memory))


def forget(memory: Memory, message_ids: Collection[int] = ()) -> list[Amount]:
    """Remove it now and for good, with the texts of these messages; what was removed, by place.

    Doing it again removes what is left of it. Nothing brings it back but the person who says it anew.
    """
    mentioned = {mention.message.pk for mention in find_mentions(memory)}
    forgotten = replace(describe(memory), message_ids=frozenset(message_ids) & mentioned)
    vectors = embed_wordings(forgotten.wordings)
    inside = [place for place in all_places() if not place.is_outside]
    with transaction.atomic(), write_lock(memory.agent_id, memory.user_id):
        wordings = {wording: vectors.get(wording) for wording in forgotten.wordings}
        bury(memory, wordings, Message.objects.aggregate(newest=Max("pk"))["newest"] or 0)
        counted = {place.key: place.count(forgotten) for place in inside}
        removed = {place.key: place.scrub(forgotten) for place in inside}
    amounts = [Amount(place, removed[place.key] or counted[place.key]) for place in inside]
    return amounts + [Amount(place, place.scrub(forgotten)) for place in all_places() if place.is_outside]
