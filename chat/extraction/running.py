"""One extraction from claim to end: propose, keep what was proposed, write it, move the conversation's cursor."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from chat.extraction.dialogue import Dialogue, read_dialogue
from chat.extraction.proposing import UnreadableReplyError, is_offline, propose, summarise
from chat.extraction.writing import pack, write_all
from chat.models import Conversation, ExtractionJob
from memories.profiles.daily import note_day
from xiajiao.claims import ATTEMPTS, LostClaimError, claim, end, record, release
from xiajiao.llm.base import ModelError
from xiajiao.llm.sources import source_for
from xiajiao.texts import clean, clip

logger = logging.getLogger(__name__)

State = ExtractionJob.State
# After so many failures of the model in a row a person has to try again.
MOST_FAILURES, FIRST_WAIT, LONGEST_WAIT = 6, timedelta(seconds=30), timedelta(hours=1)


def extract(job: ExtractionJob) -> None:
    """If nobody else is at it, and no earlier one of the same conversation is unfinished."""
    taken = claim(job)
    if taken is None:
        return
    try:
        if taken.attempts > ATTEMPTS:
            end(taken, State.FAILED, reason="crashed")
        elif is_second(taken):
            release(taken, due_at=timezone.now() + FIRST_WAIT)
        else:
            look_through(taken)
    except LostClaimError:
        logger.info("Extraction %s is another worker's now", job.pk)


def is_second(job: ExtractionJob) -> bool:
    earlier = ExtractionJob.objects.filter(conversation=job.conversation_id, pk__lt=job.pk)
    return earlier.filter(state=State.WAITING).exists()


def look_through(job: ExtractionJob) -> None:
    """Raises LostClaimError."""
    conversation = job.conversation
    reason = find_objection(conversation)
    if reason:
        return end(job, State.SKIPPED, reason=reason)
    dialogue = read_dialogue(conversation, job.upto_id)
    try:
        if job.candidates is None and not ask(job, dialogue):
            return finish(job, State.SKIPPED, "short")
        write_all(job, dialogue)
    except ModelError as error:
        return put_off(job, error)
    except UnreadableReplyError as error:
        return end(job, State.FAILED, reason=error.code, raw_reply=error.reply)
    return finish(job, State.DONE)


def find_objection(conversation: Conversation) -> str:
    if conversation.deleted_at is not None:
        return "deleted"
    if conversation.mode != Conversation.Mode.NORMAL:
        return "not_remembering"
    return "" if conversation.agent.extracts else "switched_off"


def ask(job: ExtractionJob, dialogue: Dialogue) -> bool:
    """Keep what is proposed; whether there was enough to ask about. Raises ModelError, UnreadableReplyError."""
    agent = job.conversation.agent
    source = source_for(agent.provider, agent.model_name)
    if not dialogue.said or (dialogue.is_short and not is_offline(source)):
        return False
    proposal = propose(source, dialogue, agent.language)
    summary = proposal.summary or summarise(dialogue)
    named = {"model_name": clip(proposal.model_name, 200), "summary": clip(clean(summary), 300)}
    record(job, candidates=pack(proposal.candidates), **named)
    return True


@transaction.atomic
def finish(job: ExtractionJob, state: str, reason: str = "") -> None:
    """The state, the day's line and the cursor together."""
    conversation = job.conversation
    if job.summary:
        note_day(conversation.agent, conversation.user_id, job.summary, timezone.now(), conversation.pk)
    end(job, state, reason=reason)
    rows = Conversation.objects.filter(pk=job.conversation_id)
    rows.update(extracted_to=Greatest("extracted_to", job.upto_id))


def put_off(job: ExtractionJob, error: ModelError) -> None:
    """Later again, each time after a longer wait. Raises LostClaimError."""
    failures = job.failures + 1
    wait = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
    columns = {"failures": failures, "reason": error.code, "detail": clip(error.detail, 500)}
    if failures >= MOST_FAILURES:
        end(job, State.FAILED, **columns)
    else:
        release(job, due_at=timezone.now() + wait, **columns)


def retry(job: ExtractionJob) -> None:
    """What was proposed already is not asked for again."""
    fresh = {"state": State.WAITING, "reason": "", "detail": "", "failures": 0, "due_at": None, "finished_at": None}
    fresh |= {"claim": "", "attempts": 0, "heartbeat": None}
    ExtractionJob.objects.filter(pk=job.pk, state=State.FAILED).update(**fresh)
