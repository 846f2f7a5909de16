"""Find a person's conversations by their titles and by what was said in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chat.models import Conversation, Message
from xiajiao import fulltext
from xiajiao.models import User

# Of a pasted book, the beginning is found.
LONGEST_INDEXED = 20_000
HITS = 200
# Characters of a hit's text, and how many of them go before the word: a line of the list shows few.
SNIPPET, LEAD = 120, 8


@dataclass(frozen=True)
class ConversationHit:
    """`message` is the best one that was found in it, None where the title alone was; `snippet` is of its text."""

    conversation: Conversation
    message: Message | None
    snippet: str


def namespace(user_id: int) -> str:
    return f"messages:{user_id}"


def index_message(message: Message) -> None:
    """In the transaction that commits the message; one that was deleted while it was written stays unfound."""
    if not Message.objects.kept().filter(pk=message.pk, conversation__deleted_at__isnull=True).exists():
        return
    fulltext.index(namespace(message.conversation.user_id), {f"m{message.pk}": message.content[:LONGEST_INDEXED]})


def index_conversation(conversation: Conversation) -> None:
    """Its title."""
    fulltext.index(namespace(conversation.user_id), {f"c{conversation.pk}": conversation.title})


def unindex_messages(user_id: int, message_ids: Iterable[int]) -> None:
    fulltext.remove(namespace(user_id), [f"m{pk}" for pk in message_ids])


def unindex_conversation(conversation: Conversation) -> None:
    keys = [f"m{pk}" for pk in conversation.messages.order_by().values_list("pk", flat=True)]
    fulltext.remove(namespace(conversation.user_id), [f"c{conversation.pk}", *keys])


def search_conversations(user: User, query: str, top_k: int = 50) -> list[ConversationHit]:
    """The best first, each conversation once."""
    keys = [hit.key for hit in fulltext.search([namespace(user.pk)], query, HITS)]
    messages = Message.objects.in_bulk([int(key[1:]) for key in keys if key.startswith("m")])
    found: dict[int, Message | None] = {}
    for key in keys:
        message = messages.get(int(key[1:])) if key.startswith("m") else None
        if message is not None:
            found[message.conversation_id] = found.get(message.conversation_id) or message
        elif key.startswith("c"):
            found.setdefault(int(key[1:]), None)
    conversations = Conversation.objects.for_user(user).select_related("agent").in_bulk(list(found))
    hits = [(conversations[pk], message) for pk, message in found.items() if pk in conversations]
    return [ConversationHit(row, message, make_snippet(message, query)) for row, message in hits[:top_k]]


def make_snippet(message: Message | None, query: str) -> str:
    """The text around the first word of the query that stands in it as it was typed."""
    if message is None:
        return ""
    text = " ".join(message.content.split())
    places = [place for word in query.split() if (place := text.lower().find(word.lower())) >= 0]
    start = max(0, min(places, default=0) - LEAD)
    piece = text[start : start + SNIPPET]
    return f"{'…' if start else ''}{piece}{'…' if start + SNIPPET < len(text) else ''}"
