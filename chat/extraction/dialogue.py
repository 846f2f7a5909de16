"""What of a conversation an extraction reads: what the two said, and nothing that was injected or looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from chat.models import Conversation, Message
from chat.tree import MessageTree
from memories.extraction.prompting import Line
from xiajiao.texts import clip, estimate_tokens

# Estimated tokens below which a model is not asked: some 200 letters, or 50 Chinese characters.
LEAST = 50
# Characters of one message, and tokens of all; of what is longer the end is read.
LONGEST_MESSAGE, MOST_TOKENS = 8_000, 12_000
SPEAKERS = {Message.Role.USER: "user", Message.Role.ASSISTANT: "assistant"}


@dataclass(frozen=True)
class Dialogue:
    """Finished messages, oldest first."""

    messages: Sequence[Message]

    @property
    def said(self) -> list[Message]:
        """By the person."""
        return [message for message in self.messages if message.role == Message.Role.USER]

    @property
    def is_short(self) -> bool:
        return sum(estimate_tokens(message.content) for message in self.messages) < LEAST

    @property
    def lines(self) -> list[Line]:
        """The newest within MOST_TOKENS."""
        lines: list[Line] = []
        room = MOST_TOKENS
        for message in reversed(self.messages):
            text = clip(message.content, LONGEST_MESSAGE)
            room -= estimate_tokens(text)
            if room < 0 and lines:
                break
            lines.append(Line(SPEAKERS[Message.Role(message.role)], text, timezone.localdate(message.created_at)))
        return lines[::-1]


def read_dialogue(conversation: Conversation, upto_id: int) -> Dialogue:
    """Of the branch that is read, behind what an extraction read before. A message that is rewritten is new."""
    path = MessageTree.of(conversation).path_to(conversation.leaf_id)
    ids = [pk for pk in path if conversation.extracted_to < pk <= upto_id]
    rows = Message.objects.kept().filter(pk__in=ids, removed_at__isnull=True).in_bulk()
    found = [rows[pk] for pk in ids if pk in rows]
    return Dialogue([message for message in found if message.content.strip() and is_finished(message)])


def is_finished(message: Message) -> bool:
    return message.status not in {Message.Status.PENDING, Message.Status.RUNNING}


def find_last(conversation: Conversation) -> int:
    """The last finished message of the branch that is read; 0: there is none."""
    path = MessageTree.of(conversation).path_to(conversation.leaf_id)
    rows = Message.objects.filter(pk__in=path).exclude(status__in=[Message.Status.PENDING, Message.Status.RUNNING])
    return max(rows.values_list("pk", flat=True), default=0)
