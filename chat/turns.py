"""A turn: from a pending answer to a finished one. What happens is yielded as events, and kept in rows."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.branches import load_history
from chat.calls import answer_calls
from chat.consulting import await_files, consult_for, number_parents, save_consulted
from chat.context import Context, Standing, build_context
from chat.events import DocumentsConsulted, MemoriesRecalled, TurnEvent, TurnFinished, TurnStarted, Waited
from chat.extraction.ends import note_growth
from chat.listening import listen
from chat.models import Conversation, Message, Recalled, ToolCall
from chat.profiles import freeze_profile
from chat.progress import Progress
from chat.search import index_message
from chat.stopping import StopSignal, TurnStoppedError
from chat.toolbox import allowed_tools
from knowledge.consulting import Consultation
from memories.recall import Recall, recall
from xiajiao.llm import stream_reply
from xiajiao.llm.base import ChatRequest, ModelError, ModelEvent, StepFinished
from xiajiao.llm.sources import source_for

logger = logging.getLogger(__name__)

Mode = Conversation.Mode


def run_turn(answer: Message, stop: StopSignal | None = None) -> Iterator[TurnEvent]:
    """Write this answer, whose parent is the message that is answered. Never raises for a model or a tool.

    Rows are committed before the event that tells of them; the last event is always TurnFinished. The answer's
    `content` grows as the events come, and whoever takes them may save it; at the end it is saved here.
    """
    progress = Progress(answer, stop or StopSignal())
    try:
        yield from take_steps(progress)
        progress.end_well()
    except TurnStoppedError:
        progress.end(progress.stop.outcome)
    except ModelError as error:
        progress.end(Message.Status.ERROR, error.code, error.detail)
    except Exception:
        logger.exception("The turn of message %s failed", answer.pk)
        progress.end(Message.Status.ERROR, "crashed")
    save_end(answer)
    yield TurnFinished(answer.status, answer.error_code)


def take_steps(progress: Progress) -> Iterator[TurnEvent]:
    """Steps until the model calls no more tools. Raises ModelError, TurnStoppedError."""
    answer, agent = progress.answer, progress.agent
    source = source_for(agent.provider, agent.model_name)
    answer.model_name, answer.provider_name = source.model, source.provider_name
    yield TurnStarted(source.model, source.provider_name)
    history = load_history(answer)
    yield from await_files(answer, progress.stop)
    recalled, consulted = recall_for(progress, history), consult_for(answer, history)
    progress.numbers = number_parents(consulted)
    standing = Standing(freeze_profile(answer.conversation), answer.conversation.mode == Mode.NORMAL)
    context = build_context(agent, history, recalled, consulted, standing)
    save_beginning(answer, context, recalled, consulted)
    known = [item.memory.pk for item in recalled.used]
    yield MemoriesRecalled(len(known), recalled.degraded, known)
    if consulted.used:
        yield DocumentsConsulted(len(consulted.used), [item.number for item in consulted.used])
    progress.stop.check()
    tools, messages = allowed_tools(agent, answer.conversation.mode), list(context.messages)
    for step in range(settings.TURN_MAX_STEPS):
        request = ChatRequest(messages, [tool.schema for tool in tools], agent.temperature)
        finished = yield from take_step(progress, stream_reply(source, request))
        if not finished.calls:
            return
        messages += yield from answer_calls(progress, tools, finished.calls, step)
    raise ModelError("too_many_steps")


def take_step(progress: Progress, events: Iterator[ModelEvent]) -> Generator[TurnEvent, None, StepFinished]:
    """One call of the model. Raises ModelError, TurnStoppedError."""
    finished = StepFinished()
    progress.begin_step()
    for batch in listen(events, progress.stop):
        if not batch:
            yield Waited()
        for event in batch:
            if isinstance(event, StepFinished):
                finished = event
            else:
                progress.add(event)
                yield event
    progress.finish_step(finished)
    return finished


def recall_for(progress: Progress, history: Sequence[Message]) -> Recall:
    """`history` ends with the message that is answered."""
    if not progress.agent.auto_inject_memory or progress.answer.conversation.mode == Mode.TEMPORARY:
        return Recall()
    *earlier, asked = history
    previous = next((message.content for message in reversed(earlier) if message.role == Message.Role.USER), "")
    try:
        return recall(progress.agent, progress.answer.conversation.user_id, asked.content, previous)
    except Exception:
        # A chat never fails because its memory does.
        logger.exception("Recall for message %s failed", progress.answer.pk)
        return Recall(degraded="crashed")


@transaction.atomic
def save_beginning(answer: Message, context: Context, recalled: Recall, consulted: Consultation) -> None:
    """What the answer knows."""
    answer.system_prompt, answer.recall_degraded = context.system_prompt, recalled.degraded
    answer.save(update_fields=["model_name", "provider_name", "system_prompt", "recall_degraded"])
    save_consulted(answer, consulted)
    Recalled.objects.bulk_create(
        Recalled(
            message=answer,
            memory=item.memory,
            content=item.memory.content,
            category=item.memory.category,
            rank=rank,
            score=item.score,
            score_parts=item.score_parts,
            reason=item.reason,
            was_cut=item.was_cut,
        )
        for rank, item in enumerate(recalled.items, 1)
    )


@transaction.atomic
def save_end(answer: Message) -> None:
    answer.finished_at = timezone.now()
    answer.save(
        update_fields=[
            "content",
            "reasoning",
            "status",
            "error_code",
            "error_detail",
            "model_name",
            "provider_name",
            "prompt_tokens",
            "completion_tokens",
            "finished_at",
        ]
    )
    # Left by a tool that crashed.
    calls = answer.tool_calls.filter(status=ToolCall.Status.RUNNING)
    calls.update(status=ToolCall.Status.INTERRUPTED, finished_at=answer.finished_at)
    index_message(answer)
    note_growth(answer.conversation)
