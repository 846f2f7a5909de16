"""What documents say to a turn: which are asked, and what is kept of their answer beside the message."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from chat.models import Message, Source, ToolCall
from knowledge.consulting import Consultation, Consulted, consult
from knowledge.models import KnowledgeBase
from memories.queries import compose_queries
from xiajiao.tools import Cited

logger = logging.getLogger(__name__)


def consult_for(answer: Message, history: Sequence[Message]) -> Consultation:
    """`history` ends with the message that is answered. Never raises: a chat never fails because of its documents."""
    *earlier, asked = history
    previous = next((message.content for message in reversed(earlier) if message.role == Message.Role.USER), "")
    try:
        return consult(find_bases(answer), compose_queries(asked.content, previous))
    except Exception:
        logger.exception("Documents for message %s were not searched", answer.pk)
        return Consultation()


def find_bases(answer: Message) -> list[KnowledgeBase]:
    """What this person's turn with the agent may read, and what is attached to the conversation."""
    conversation = answer.conversation
    return list(KnowledgeBase.objects.asked_in(conversation.agent_id, conversation.user, conversation.pk))


def number_parents(consultation: Consultation) -> dict[int, int]:
    """By what number the turn cites a parent chunk."""
    return {item.found.chunk.parent_id: item.number for item in consultation.used}


def save_consulted(answer: Message, items: Iterable[Consulted]) -> None:
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
        for item in items
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
