"""One extraction from claim to end: propose, keep what was proposed, write it, move the conversation's cursor."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from chat.extraction.dialogue import Dialogue, read_dialogue
from chat.extraction.proposing import UnreadableReplyError, is_offline, propose, summarise
from chat.extraction.writing import WithdrawnError, find_objection, pack, write_all
from chat.models import Conversation, ExtractionJob, Message
from chat.models.extraction import ExtractionJobQuerySet
from memories.profiles.daily import note_day
from memories.profiles.forgetting import leave_forgotten_out
from xiajiao.claims import ATTEMPTS, claim, end, held, is_free, record, release
from xiajiao.llm.base import ModelError
from xiajiao.llm.sources import source_for
from xiajiao.texts import clean, clip
from xiajiao.timezones import clock_of

State = ExtractionJob.State
# After so many failures of the model in a row a person has to try again.
MOST_FAILURES, FIRST_WAIT, LONGEST_WAIT = 8, timedelta(seconds=30), timedelta(hours=1)
# Seconds between two signs of life, and characters that are kept of a reply that nobody could read.
BEAT, LONGEST_RAW = 10.0, 20_000
# A job that nobody has begun, or that was taken from whoever was at it.
FRESH: dict[str, Any] = {"state": State.WAITING, "reason": "", "detail": "", "failures": 0, "due_at": None}
FRESH |= {"finished_at": None, "claim": "", "attempts": 0, "heartbeat": None}


def extract(job: ExtractionJob) -> None:
    """If nobody else is at it, and no earlier one of the same conversation is unfinished. Whatever is raised leaves it
    to the sweep."""
    taken = claim(job)
    if taken is None:
        return
    with held(taken):
        if taken.attempts > ATTEMPTS:
            end(taken, State.FAILED, reason="crashed")
        elif is_second(taken):
            release(taken, due_at=timezone.now() + FIRST_WAIT)
        else:
            record(taken, tries=taken.tries + 1)
            with clock_of(taken.conversation.user):
                look_through(taken)


def is_second(job: ExtractionJob) -> bool:
    earlier = ExtractionJob.objects.filter(conversation=job.conversation_id, pk__lt=job.pk)
    return earlier.filter(state=State.WAITING).exists()


def is_enough_at_work() -> bool:
    """Whether as many workers wait for models here as may: all but one."""
    claimed = ExtractionJob.objects.filter(state=State.WAITING).exclude(claim="")
    return sum(not is_free(job) for job in claimed) >= max(settings.WORKER_PROCESSES - 1, 1)


def look_through(job: ExtractionJob) -> None:
    """Raises LostClaimError."""
    reason = find_objection(job.conversation)
    if reason:
        return end(job, State.SKIPPED, reason=reason)
    dialogue = read_dialogue(job.conversation, job.upto_id)
    try:
        if job.candidates is None:
            reason = ask(job, dialogue)
            if reason:
                return skip(job, reason)
        write_all(job, dialogue)
        leave_removed_out(job, dialogue)
        line = make_line(job, dialogue)
    except ModelError as error:
        return put_off(job, error)
    except UnreadableReplyError as error:
        return end(job, State.FAILED, reason=error.code, detail="", raw_reply=clip(error.reply, LONGEST_RAW))
    except WithdrawnError as error:
        return end(job, State.SKIPPED, reason=error.reason)
    return finish(job, dialogue, line)


def ask(job: ExtractionJob, dialogue: Dialogue) -> str:
    """Keep what is proposed; the code of why there is nothing to ask about. Raises ModelError, UnreadableReplyError,
    LostClaimError."""
    agent = job.conversation.agent
    source = source_for(agent.provider, agent.model_name)
    if not dialogue.said:
        return "nothing_said"
    if dialogue.is_short and not is_offline(source) and job.cause != ExtractionJob.Cause.ASKED:
        return "short"
    proposal = propose(source, dialogue, agent.language, Pulse(job))
    summary = proposal.summary or summarise(dialogue)
    named = {"model_name": clip(proposal.model_name, 200), "summary": clip(clean(summary), 300)}
    record(job, candidates=pack(proposal.candidates), attempts=0, **named)
    return ""


class Pulse:
    """Shows that a worker lives while a model speaks, and ends its speech where the job is another one's by now."""

    def __init__(self, job: ExtractionJob) -> None:
        self.job = job
        self.next = time.monotonic() + BEAT

    def __call__(self) -> None:
        """Raises LostClaimError."""
        if time.monotonic() > self.next:
            record(self.job)
            self.next = time.monotonic() + BEAT


def skip(job: ExtractionJob, reason: str) -> None:
    """What was too short to be asked about is read again together with what follows it."""
    if reason == "short":
        return end(job, State.SKIPPED, reason=reason)
    with transaction.atomic():
        end(job, State.SKIPPED, reason=reason)
        move_cursor(job)
    return None


def leave_removed_out(job: ExtractionJob, dialogue: Dialogue) -> None:
    """What a person had forgotten for good while a model read it leaves nothing here. Raises LostClaimError."""
    read = Message.objects.filter(pk__in=[message.pk for message in dialogue.messages])
    if read.filter(removed_at__isnull=True).count() < len(dialogue.messages):
        record(job, candidates=[], summary="")


def make_line(job: ExtractionJob, dialogue: Dialogue) -> str:
    """The summary without what the person had forgotten for good since the conversation began. Waits for the
    embedder."""
    if not job.summary or not dialogue.said:
        return ""
    conversation = job.conversation
    first = min(message.pk for message in dialogue.messages)
    return leave_forgotten_out(conversation.agent_id, conversation.user_id, job.summary, first)


@transaction.atomic
def finish(job: ExtractionJob, dialogue: Dialogue, line: str) -> None:
    """The state, the day's line and the cursor together. Raises LostClaimError."""
    conversation, summary = job.conversation, job.summary
    job.refresh_from_db(fields=["summary"])
    # Something was forgotten between the line and now: what it was made of has changed.
    line = line if job.summary == summary else ""
    if line:
        source = (conversation.pk, dialogue.said[-1].pk)
        note_day(conversation.agent, conversation.user_id, line, dialogue.messages[-1].created_at, source)
    end(job, State.DONE, reason="", detail="", raw_reply="", summary=line)
    move_cursor(job)


def move_cursor(job: ExtractionJob) -> None:
    """Behind what was read; an earlier failure is made up for with that."""
    rows = Conversation.objects.filter(pk=job.conversation_id)
    rows.update(extracted_to=Greatest("extracted_to", job.upto_id))
    failed = ExtractionJob.objects.filter(conversation=job.conversation_id, state=State.FAILED)
    failed.filter(upto_id__lte=job.upto_id).update(state=State.SKIPPED, reason="made_up_for")


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
    retry_all(ExtractionJob.objects.filter(pk=job.pk))


def retry_all(jobs: ExtractionJobQuerySet) -> list[int]:
    """The keys of those that had failed, and are due now."""
    keys = list(jobs.filter(state=State.FAILED).values_list("pk", flat=True))
    ExtractionJob.objects.filter(pk__in=keys, state=State.FAILED).update(**FRESH)
    return keys


def give_up(jobs: ExtractionJobQuerySet) -> int:
    """Of those that failed, how many: they are no longer counted among the stuck. A person may still ask for a look."""
    return jobs.filter(state=State.FAILED).update(state=State.SKIPPED, reason="given_up", raw_reply="")
