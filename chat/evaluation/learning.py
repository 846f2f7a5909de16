"""The doors by which a fact comes in afterwards: extractions, failed ones too, and the profile files."""

from __future__ import annotations

import json
from itertools import cycle

from django.utils import timezone

from chat.evaluation.facts import Fact
from chat.evaluation.household import Installation
from chat.extraction.ends import close
from chat.extraction.running import extract, retry
from chat.models import Conversation, ExtractionJob, Message, ToolCall
from chat.profiles import refresh_profile
from chat.sending import send_message, start_conversation
from chat.toolbox import run_call
from memories.models import ProfileKind
from memories.profiles.daily import note_day
from memories.profiles.tools import PROFILE_TOOLS
from xiajiao.llm.base import RequestedCall
from xiajiao.tools import Scope

State = ExtractionJob.State
KINDS = cycle([ProfileKind.USER, ProfileKind.MEMORY, ProfileKind.DAILY])


def leave_unnoted(here: Installation, fact: Fact) -> Message:
    """A message in a conversation of its own, with an answer that noted nothing."""
    sent = start_conversation(here.user, here.agent, fact.said)
    finish(sent.answer)
    return sent.message


def finish(answer: Message) -> None:
    Message.objects.filter(pk=answer.pk).update(content="OK.", status=Message.Status.DONE)


def close_and_extract(here: Installation, fact: Fact) -> None:
    """Noted when the conversation ends, with a line in the day's text; a later one is told of it."""
    message = leave_unnoted(here, fact)
    look_through(message.conversation)
    note_day(here.agent, here.user.pk, fact.kept, timezone.now(), (message.conversation_id, message.pk))


def look_through(conversation: Conversation) -> None:
    conversation.refresh_from_db()
    job = close(conversation)
    if job is not None:
        extract(job)


def fail_to_extract(here: Installation, fact: Fact) -> None:
    """The reply that could not be read is kept for a person to see; what was proposed waits to be written."""
    message = leave_unnoted(here, fact)
    message.conversation.refresh_from_db()
    job = close(message.conversation)
    proposed = [{"content": fact.kept, "category": "semantic", "type_key": "user", "quote": fact.said}]
    told = {"raw_reply": json.dumps(proposed), "candidates": proposed, "summary": fact.kept, "detail": fact.said}
    if job is not None:
        ExtractionJob.objects.filter(pk=job.pk).update(state=State.FAILED, reason="not_json", **told)


def write_into_files(here: Installation, fact: Fact) -> None:
    """By the tools: added, replaced, read, and told to the next conversation, in words of the agent's own;
    once as a heading."""
    message = here.say("What is the weather like?")
    kind, note = next(KINDS), fact.said
    call(message, "profile_add", {"file": kind, "section": fact.marker, "content": f"- {note}"})
    replaced = {"file": kind, "section": fact.marker, "old_text": note, "new_text": fact.kept}
    call(message, "profile_replace", replaced)
    call(message, "profile_add", {"file": kind, "section": fact.said, "content": "- Noted."})
    call(message, "profile_read", {"file": kind})
    told = here.say("How are you?")
    refresh_profile(told.conversation)
    here.answer(send_message(told.conversation, "And now?").answer)


def call(message: Message, name: str, arguments: dict[str, str]) -> None:
    """As a turn keeps it."""
    answer = message.children.order_by("pk")[0]
    conversation = answer.conversation
    written = json.dumps(arguments, ensure_ascii=False)
    scope = Scope(
        conversation.agent_id, conversation.user_id, conversation.pk, answer.pk, message.pk, heard=message.content
    )
    outcome = run_call(scope, PROFILE_TOOLS, RequestedCall("planted", name, written))
    ToolCall.objects.create(message=answer, step=9, name=name, arguments=written, result=outcome.result)


def extract_all_again(here: Installation) -> int:
    """Failed ones are tried again, and every conversation is read from its beginning; how many jobs that were."""
    for job in ExtractionJob.objects.filter(conversation__user=here.user, state=State.FAILED):
        retry(job)
    rows = Conversation.objects.filter(user=here.user)
    rows.update(extracted_to=0)
    ExtractionJob.objects.filter(conversation__user=here.user, state=State.DONE).delete()
    for conversation in rows:
        close(conversation)
    waiting = list(ExtractionJob.objects.filter(conversation__user=here.user, state=State.WAITING).order_by("pk"))
    for job in waiting:
        extract(job)
    return len(waiting)
