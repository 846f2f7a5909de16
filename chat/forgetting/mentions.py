"""The person's messages and answers that say what is to be forgotten, for them to tick."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from django.db.models import Q, prefetch_related_objects

from chat.models import Message, Recalled
from chat.provenance import Piece, quote, shorten_end, shorten_start
from chat.sayings import read_accounts
from chat.search import namespace
from memories.models import Memory
from memories.places import find_wordings
from memories.quoting import find_quote
from xiajiao import fulltext

# Messages that are shown at most; that the search brings for each wording; memories that are searched for.
MOST, HITS, SEARCHED = 200, 50, 50
AROUND = 120  # characters


@dataclass(frozen=True)
class Mention:
    """A message that says it; `pieces` are its text with what says it marked."""

    message: Message
    pieces: Sequence[Piece]


def find_mentions(memories: Collection[Memory], user_id: int, topic: str = "") -> list[Mention]:
    """Those of this person that hold all words of the topic, from which one of the memories came, that noted or knew
    it, or that a search finds for it. The newest first."""
    # Each message is compared with all wordings that they ever had.
    prefetch_related_objects(list(memories), "revisions")
    told = tell_where(memories, user_id)
    words = topic.split()
    wanted = reduce(lambda found, word: found & Q(content__icontains=word), words, Q()) if words else Q(pk__in=[])
    rows = Message.objects.filter(conversation__user=user_id, removed_at__isnull=True)
    rows = rows.filter(Q(pk__in=list(told)) | wanted).select_related("conversation")
    return [mention for row in rows.order_by("-pk") if (mention := read_mention(row, told.get(row.pk, []), words))]


def tell_where(memories: Collection[Memory], user_id: int) -> Mapping[int, list[Memory]]:
    """The messages that may say one of the memories, with those that they may say."""
    told: dict[int, list[Memory]] = defaultdict(list)
    own = [memory for memory in memories if memory.user_id == user_id]
    for account in read_accounts(own):
        for saying in account.sayings:
            for pk in {saying.message_id, *saying.answer_ids}:
                told[pk].append(account.memory)
    by_number = {memory.pk: memory for memory in own}
    known = Recalled.objects.filter(memory__in=by_number).values_list("memory_id", "message_id", "message__parent_id")
    for memory_id, *message_ids in known:
        for pk in filter(None, message_ids):
            told[pk].append(by_number[memory_id])
    for memory in own[:SEARCHED]:
        for pk in find_by_words(memory, user_id):
            told[pk].append(memory)
    return told


def find_by_words(memory: Memory, user_id: int) -> Iterator[int]:
    for wording in (*find_wordings(memory), memory.quote):
        for hit in fulltext.search([namespace(user_id)], wording, HITS):
            if hit.key.startswith("m"):
                yield int(hit.key[1:])


def read_mention(message: Message, memories: Sequence[Memory], words: Sequence[str]) -> Mention | None:
    """None where it says none of them."""
    text = message.content.lower()
    if words and all(word.lower() in text for word in words):
        return Mention(message, mark_words(message.content, words))
    said = next((memory for memory in memories if says(memory, message)), None)
    return Mention(message, quote(said, message.content)) if said else None


def says(memory: Memory, message: Message) -> bool:
    text = f"{message.content}\n{message.reasoning}"
    if message.pk in memory.message_ids or f"[M{memory.pk}]" in text:
        return True
    return any(find_quote(wording, text) for wording in find_wordings(memory))


def mark_words(text: str, words: Sequence[str]) -> list[Piece]:
    """The text around the first of the words, with all of them marked."""
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    first = pattern.search(text)
    start, end = (first.start(), first.end()) if first else (0, 0)
    shown = f"{shorten_start(text[:start], AROUND)}{text[start:end]}{shorten_end(text[end:], 2 * AROUND)}"
    places = [match.span() for match in pattern.finditer(shown)]
    ends = [0, *(place for span in places for place in span), len(shown)]
    pieces = [Piece(shown[ends[at] : ends[at + 1]], is_quoted=bool(at % 2)) for at in range(len(ends) - 1)]
    return [piece for piece in pieces if piece.text]
