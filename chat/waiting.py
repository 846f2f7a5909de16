"""What waits for the person's approval follows what was said: it goes and comes back with its messages."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from chat.models import Conversation, Message
from chat.standing import find_standing
from memories.approval.following import follow_standing
from memories.models import PendingWrite


def follow(conversation: Conversation) -> None:
    """After a change of which messages stand, in its transaction."""
    if PendingWrite.objects.filter(conversation_id=conversation.pk).exists():
        follow_standing(conversation.pk, find_standing(conversation))


def find_waiting(answers: Iterable[Message]) -> dict[int, list[PendingWrite]]:
    """By the answer under which it is decided: the one that asked, or that followed what an extraction read."""
    shown = [message for message in answers if message.role == Message.Role.ASSISTANT]
    asked = [answer.parent_id for answer in shown if answer.parent_id is not None]
    here = Q(answer_id__in=[answer.pk for answer in shown]) | Q(answer_id__isnull=True, message_id__in=asked)
    conversations = {answer.conversation_id for answer in shown}
    rows = list(PendingWrite.objects.waiting().filter(here, conversation_id__in=conversations)) if shown else []
    return {answer.pk: [row for row in rows if is_under(row, answer)] for answer in shown}


def is_under(pending: PendingWrite, answer: Message) -> bool:
    if pending.answer_id is not None:
        return pending.answer_id == answer.pk
    return pending.message_id is not None and pending.message_id == answer.parent_id
