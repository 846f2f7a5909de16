"""From a memory to the messages that it came from and the turns that knew it; from a message to what was learned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from chat.models import Message, Recalled, Remembered
from chat.sayings import find_messages, messages_of, read_accounts
from chat.standing import find_standing_among
from memories.models import Memory, MemoryRevision
from memories.quoting import find_places, find_quote
from xiajiao.models import User

RECALLS = 10
# Characters of a message that are shown around what is quoted of it, and of one of which nothing is.
AROUND = 160
PLAIN = 320
Action = MemoryRevision.Action


@dataclass(frozen=True)
class Piece:
    text: str
    is_quoted: bool = False


@dataclass(frozen=True)
class MemorySource:
    """A message in which a memory was said. `state`: why it stands no more ("deleted", "put_aside"); empty: it does."""

    message: Message
    pieces: Sequence[Piece]
    state: str = ""


@dataclass(frozen=True)
class MemorySources:
    """Oldest first. `gone`: of so many messages nothing is left."""

    sources: Sequence[MemorySource]
    gone: int = 0


@dataclass(frozen=True)
class RecallPage:
    """Turns that knew a memory, the newest first. `older_than`: ask for the next page with it; None: that is all."""

    rows: Sequence[Recalled]
    older_than: int | None = None


@dataclass(frozen=True)
class Learned:
    """A memory that was noted at a message. `action`: what the gate did with it; `content`: its text at that time."""

    memory: Memory
    action: str
    content: str


def read_sources(memory: Memory) -> MemorySources:
    """For the memory's own person: what they said stays between them and the agent."""
    if memory.user_id is None:
        return MemorySources([])
    [account] = read_accounts([memory])
    heard = [saying.message_id for saying in account.sayings]
    messages = find_messages(heard, memory.user_id)
    standing = find_standing_among(memory.user_id, messages_of([account]))
    found = [messages[pk] for pk in heard if pk in messages]
    sources = [
        MemorySource(message, quote(memory, message.content), state_of(message, standing))
        for message in sorted(found, key=lambda message: message.pk)
    ]
    return MemorySources(sources, len(heard) - len(found))


def count_sources(memory: Memory) -> int:
    """For staff, who see that there is a source, and nothing of what it says."""
    [account] = read_accounts([memory])
    return len(account.sayings)


def state_of(message: Message, standing: Collection[int]) -> str:
    if message.deleted_at is not None or message.conversation.deleted_at is not None:
        return "deleted"
    return "" if message.pk in standing else "put_aside"


def quote(memory: Memory, text: str) -> list[Piece]:
    """The message in pieces, with what the memory rests on marked; of a long one what stands around it."""
    places = find_places(text, memory.quote) or find_places(text, find_quote(memory.content, text))
    if not places:
        return [Piece(shorten_end(text, PLAIN))]
    pieces, shown = [Piece(shorten_start(text[: places[0][0]], AROUND))], 0
    for number, (start, end) in enumerate(places):
        pieces.append(Piece(shorten_middle(text[shown:start]) if number else ""))
        pieces.append(Piece(text[start:end], is_quoted=True))
        shown = end
    pieces.append(Piece(shorten_end(text[shown:], AROUND)))
    return [piece for piece in pieces if piece.text]


def shorten_start(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[-most:]}"


def shorten_end(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def shorten_middle(text: str) -> str:
    return text if len(text) <= 2 * AROUND else f"{text[:AROUND]} … {text[-AROUND:]}"


def list_recalls(memory: Memory, user: User, older_than: int | None = None) -> RecallPage:
    """Turns of this person alone."""
    rows = Recalled.objects.filter(memory=memory, message__conversation__user=user)
    rows = rows.filter(message__deleted_at__isnull=True, message__conversation__deleted_at__isnull=True)
    if older_than is not None:
        rows = rows.filter(pk__lt=older_than)
    found = list(rows.select_related("message__conversation", "message__parent").order_by("-pk")[: RECALLS + 1])
    shown = found[:RECALLS]
    return RecallPage(shown, shown[-1].pk if len(found) > RECALLS else None)


def list_learned(message: Message) -> list[Learned]:
    """What was noted at a person's message or in an answer, each memory once with the last that was done."""
    if message.role == Message.Role.USER:
        noted = Remembered.objects.filter(message__parent=message, message__deleted_at__isnull=True)
    else:
        noted = Remembered.objects.filter(message=message)
    rows = list(noted.select_related("memory__type", "memory__agent").order_by("pk"))
    learned = {row.memory_id: Learned(row.memory, row.action, row.content) for row in rows}
    return list(learned.values()) + list_heard(message, learned)


def list_heard(message: Message, known: Iterable[int]) -> list[Learned]:
    """What was made of a person's message later on, and not in its own turn."""
    if message.role != Message.Role.USER:
        return []
    conversation = message.conversation
    revisions = MemoryRevision.objects.filter(
        message_id=message.pk, action__in=[Action.ADDED, Action.REINFORCED, Action.IGNORED]
    )
    owned = revisions.filter(memory__agent=conversation.agent_id, memory__user=conversation.user_id)
    rows = owned.exclude(memory__in=list(known)).select_related("memory__type", "memory__agent").order_by("pk")
    return list(
        {row.memory_id: Learned(row.memory, row.action, row.offered or row.memory.content) for row in rows}.values()
    )
