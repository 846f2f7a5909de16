"""What waits for the person's approval follows what was said, and once approved stands under the answer that asked."""

from __future__ import annotations

from collections.abc import Iterable

from django.dispatch import receiver

from chat.losses import note_said
from chat.models import Conversation, Message, Remembered
from chat.standing import find_standing
from memories.approval.deciding import approved
from memories.approval.following import follow_standing
from memories.models import PendingWrite


def follow(conversation: Conversation) -> None:
    """After a change of which messages stand, in its transaction."""
    if PendingWrite.objects.filter(conversation_id=conversation.pk).exists():
        follow_standing(conversation.pk, find_standing(conversation))


def find_waiting(answers: Iterable[Message]) -> dict[int, list[PendingWrite]]:
    """By the answer under which it is decided: the one that asked, or that followed what an extraction read."""
    shown = [message for message in answers if message.role == Message.Role.ASSISTANT]
    conversations = {answer.conversation_id for answer in shown}
    under = PendingWrite.objects.waiting().under({answer.pk: answer.parent_id for answer in shown})
    rows = list(under.filter(conversation_id__in=conversations)) if shown else []
    return {answer.pk: [row for row in rows if row.is_under(answer.pk, answer.parent_id)] for answer in shown}


@receiver(approved)
def note_approved(pending: PendingWrite, **_signal: object) -> None:
    """Under the answer that asked it stands as what the answer remembered."""
    answers = Message.objects.filter(conversation__user=pending.user_id)
    answer, memory = answers.filter(pk=pending.answer_id or 0).first(), pending.memory
    if answer is None or memory is None:
        return
    Remembered.objects.create(message=answer, memory=memory, action=pending.outcome, content=memory.content)
    note_said(answer, [memory.pk])
