"""Answer the tool calls of one step: each is committed before it runs, and again with its result."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from chat.consulting import save_cited
from chat.events import ToolCalled, ToolReturned, TurnEvent
from chat.forgetting.proposing import propose
from chat.losses import note_said
from chat.models import Remembered, ToolCall
from chat.progress import Progress
from chat.toolbox import ToolOutcome, run_call
from chat.transcript import write_call
from xiajiao.llm.base import ModelError, RequestedCall
from xiajiao.texts import clean, clip
from xiajiao.tools import Scope, Tool

MOST_CALLS = 40  # in one turn
NAME_LENGTH = 200
# Tools that do nothing but read documents.
READING = {"kb_search", "kb_list"}


def answer_calls(
    progress: Progress, tools: Sequence[Tool], calls: Sequence[RequestedCall], step: int
) -> Generator[TurnEvent, None, list[dict[str, Any]]]:
    """Returns the messages that go back to the model. Raises ModelError past MOST_CALLS, TurnStoppedError."""
    asked = {
        "role": "assistant",
        "content": progress.step_text or None,
        "tool_calls": [write_call(call.id, call.name, call.arguments) for call in calls],
    }
    messages: list[dict[str, Any]] = [asked]
    for call in calls:
        progress.stop.check()
        if progress.calls_made >= MOST_CALLS:
            raise ModelError("too_many_calls")
        progress.calls_made += 1
        outcome = yield from answer_call(progress, tools, call, step)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": outcome.result})
    progress.stop.check()
    return messages


def answer_call(
    progress: Progress, tools: Sequence[Tool], call: RequestedCall, step: int
) -> Generator[TurnEvent, None, ToolOutcome]:
    row = ToolCall.objects.create(
        message=progress.answer,
        step=step,
        call_id=clip(clean(call.id), NAME_LENGTH),
        name=clip(clean(call.name), NAME_LENGTH),
        arguments=clean(call.arguments),
        offset=len(progress.answer.content),
        after_documents=bool(progress.numbers) and call.name not in READING,
    )
    yield ToolCalled(row.pk, row.name, row.arguments, row.after_documents)
    scope = scope_of(progress)
    outcome = run_call(scope, tools, call)
    save_outcome(row, outcome, scope)
    yield ToolReturned(row.pk, row.name, outcome.result, outcome.is_error, [each.number for each in scope.cited])
    return outcome


def scope_of(progress: Progress) -> Scope:
    answer = progress.answer
    return Scope(
        agent_id=progress.agent.pk,
        user_id=answer.conversation.user_id,
        conversation_id=answer.conversation_id,
        message_id=answer.pk,
        user_message_id=answer.parent_id,
        heard=answer.parent.content if answer.parent else "",
        numbers=progress.numbers,
    )


@transaction.atomic
def save_outcome(row: ToolCall, outcome: ToolOutcome, scope: Scope) -> None:
    row.result = outcome.result
    row.status = ToolCall.Status.ERROR if outcome.is_error else ToolCall.Status.DONE
    row.finished_at = timezone.now()
    row.save(update_fields=["result", "status", "finished_at"])
    Remembered.objects.bulk_create(
        Remembered(
            message_id=row.message_id,
            tool_call=row,
            memory_id=effect.memory_id,
            action=effect.action,
            content=effect.content,
        )
        for effect in scope.effects
    )
    save_cited(row, scope.cited)
    for proposal in scope.proposals:
        propose(row.message_id, scope.user_id, proposal)
    if scope.effects:
        note_said(row.message, [effect.memory_id for effect in scope.effects])
