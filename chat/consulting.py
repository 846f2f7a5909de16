"""What documents say to a turn: which are asked, and what is kept of their answer beside the message."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence

from django.conf import settings

from chat.events import FilesAwaited, TurnEvent, Waited
from chat.models import AttachedFile, Message, Source, ToolCall
from chat.stopping import StopSignal
from knowledge.attached import consult_attached
from knowledge.attaching import find_attached
from knowledge.consulting import Consultation, consult
from knowledge.models import Document, KnowledgeBase
from memories.queries import compose_queries
from xiajiao.tools import Cited

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.3  # seconds


def consult_for(answer: Message, history: Sequence[Message]) -> Consultation:
    """`history` ends with the message that is answered. Never raises: a chat never fails because of its documents."""
    *earlier, asked = history
    previous = next((message.content for message in reversed(earlier) if message.role == Message.Role.USER), "")
    texts = compose_queries(asked.content, previous)
    try:
        said = consult(find_bases(answer), texts)
        files = list(find_attached(answer.conversation_id).filter(enabled=True))
        return consult_attached(files, said, texts, settings.KB_ATTACHED_TOKENS) if files else said
    except Exception:
        logger.exception("Documents for message %s were not searched", answer.pk)
        return Consultation()


def find_bases(answer: Message) -> list[KnowledgeBase]:
    """What this person's turn with the agent may read; what is attached to the conversation comes besides."""
    conversation = answer.conversation
    return list(KnowledgeBase.objects.asked_in(conversation.agent_id, conversation.user))


def await_files(answer: Message, stop: StopSignal) -> Iterator[TurnEvent]:
    """For a while, until the files of the conversation are read. Raises TurnStoppedError."""
    end = time.monotonic() + settings.KB_ATTACHED_SECONDS
    unread = find_attached(answer.conversation_id).filter(state__in=Document.WORKED_AT, chunk_count=0)
    is_told = False
    while time.monotonic() < end and (count := unread.count()):
        if not is_told:
            yield FilesAwaited(count)
            is_told = True
        yield Waited()
        stop.event.wait(LOOK_EVERY)
        stop.check()


def number_parents(consultation: Consultation) -> dict[int, int]:
    """By what number the turn cites a parent chunk."""
    return {item.found.chunk.parent_id: item.number for item in consultation.used}


def save_consulted(answer: Message, consulted: Consultation) -> None:
    AttachedFile.objects.bulk_create(
        AttachedFile(message=answer, document=each.document, name=each.document.name, how=each.how)
        for each in consulted.attached
    )
    Source.objects.bulk_create(
        Source(
            message=answer,
            chunk=item.found.chunk,
            number=item.number,
            label=item.label[:600],
            content=item.text,
            start=item.place[0],
            end=item.place[1],
            score_parts=item.score_parts,
            was_cut=item.was_cut,
        )
        for item in consulted.items
    )


def save_cited(call: ToolCall, cited: Iterable[Cited]) -> None:
    Source.objects.bulk_create(
        Source(
            message_id=call.message_id,
            tool_call=call,
            chunk_id=each.chunk_id,
            number=each.number,
            label=each.label[:600],
            content=each.content,
            start=each.start,
            end=each.end,
            score_parts=each.score_parts,
        )
        for each in cited
    )
