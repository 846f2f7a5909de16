"""Answers whose server died: the partial is kept, and the person may try again."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from chat.events import TurnFinished
from chat.models import Message, ToolCall
from chat.search import index_message
from chat.stream import TurnStream, read_after
from xiajiao.llm.base import ReasoningDelta, TextDelta
from xiajiao.runners import is_gone

# A running answer shows a sign of life every few seconds.
SILENCE = timedelta(seconds=15)


def mark_interrupted() -> int:
    """Find the unfinished answers that nobody writes any more and end them; how many there were. Safe at any time."""
    signs = Message.objects.unfinished().only("runner", "heartbeat_at", "created_at")
    abandoned = [answer.pk for answer in signs if is_abandoned(answer)]
    answers = Message.objects.unfinished().filter(pk__in=abandoned).select_related("conversation")
    return sum(interrupt(answer) for answer in answers if is_abandoned(answer))


def is_abandoned(answer: Message) -> bool:
    """Its process is gone, or has been silent for too long."""
    seen = answer.heartbeat_at or answer.created_at
    return (bool(answer.runner) and is_gone(answer.runner)) or seen < timezone.now() - SILENCE


def interrupt(answer: Message) -> bool:
    """False where it showed a sign of life meanwhile. What the stream holds beyond the saved partial is kept too."""
    recover(answer)
    if not end(answer):
        return False
    TurnStream(answer.pk).append(TurnFinished(Message.Status.INTERRUPTED))
    return True


def recover(answer: Message) -> None:
    """The words that came after the last saving."""
    for _position, event, at in read_after(answer.pk, answer.stream_position):
        if isinstance(event, TextDelta) and at <= len(answer.content):
            answer.content = answer.content[:at] + event.text
        elif isinstance(event, ReasoningDelta):
            answer.reasoning += event.text


@transaction.atomic
def end(answer: Message) -> bool:
    now, status = timezone.now(), Message.Status.INTERRUPTED
    unchanged = Message.objects.unfinished().filter(pk=answer.pk, heartbeat_at=answer.heartbeat_at)
    if not unchanged.update(status=status, finished_at=now, content=answer.content, reasoning=answer.reasoning):
        return False
    calls = ToolCall.objects.filter(message=answer, status=ToolCall.Status.RUNNING)
    calls.update(status=ToolCall.Status.INTERRUPTED, finished_at=now)
    index_message(answer)
    return True
