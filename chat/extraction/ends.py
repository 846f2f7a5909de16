"""When a conversation is looked through: closed, silent for a while, or grown; the row commits with the cause."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import (
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    Max,
    OuterRef,
    QuerySet,
)
from django.db.models.functions import Cast
from django.utils import timezone

from chat.extraction.dialogue import find_last, read_dialogue
from chat.extraction.running import FRESH
from chat.extraction.writing import find_objection
from chat.models import Conversation, ExtractionJob, Message
from memories.extraction.prompting import PROMPT_VERSION

Cause, State = ExtractionJob.Cause, ExtractionJob.State
# Reasons for which a job was left that may hold no longer.
WITHDRAWN = ("deleted", "not_remembering", "switched_off")
# Conversations of one sweep.
SWEPT = 50


def ask_for_extraction(conversation: Conversation, cause: str) -> ExtractionJob | None:
    """The job of all that was said since the last one; None where nothing is to be remembered or nothing was said.

    One that was left because its conversation was deleted or not to be remembered then is taken up again. What a person
    asks for by hand is done now, whatever stood in the way, and reads all of a conversation that no look has read.
    """
    if find_objection(conversation):
        return None
    if cause == Cause.ASKED and conversation.extracted_to and not conversation.extractions.exists():
        conversation.extracted_to = 0
        conversation.save(update_fields=["extracted_to"])
    upto = find_last(conversation)
    if upto <= conversation.extracted_to:
        return None
    job, is_new = ExtractionJob.objects.get_or_create(
        conversation=conversation, upto_id=upto, prompt_version=PROMPT_VERSION, defaults={"cause": cause}
    )
    return job if is_new else wake(job, cause)


def wake(job: ExtractionJob, cause: str) -> ExtractionJob:
    jobs = ExtractionJob.objects.filter(pk=job.pk)
    if cause == Cause.ASKED:
        jobs.filter(state=State.WAITING).update(due_at=None, cause=cause)
        jobs.exclude(state__in=[State.WAITING, State.DONE]).update(**FRESH, cause=cause)
    else:
        jobs.filter(state=State.SKIPPED, reason__in=WITHDRAWN).update(**FRESH, cause=cause)
    return jobs.get()


@transaction.atomic
def close(conversation: Conversation) -> ExtractionJob | None:
    """By its person. Writing on opens it again, behind what was read."""
    Conversation.objects.filter(pk=conversation.pk).update(closed_at=timezone.now())
    return ask_for_extraction(conversation, Cause.CLOSED)


def note_growth(conversation: Conversation) -> ExtractionJob | None:
    """After an answer, in its transaction; the sweep finds the job."""
    conversation.refresh_from_db(fields=["leaf", "mode", "extracted_to"])
    last = conversation.extractions.aggregate(last=Max("upto_id"))["last"] or 0
    begin = max(conversation.extracted_to, last)
    new = conversation.messages.kept().filter(pk__gt=begin)
    if new.count() < conversation.agent.extract_every:
        return None
    messages = read_dialogue(conversation, find_last(conversation)).messages
    if sum(message.pk > begin for message in messages) < conversation.agent.extract_every:
        return None
    return ask_for_extraction(conversation, Cause.GROWN)


def end_silent() -> list[int]:
    """Keys of jobs of conversations in which nothing was said for as long as their agent's setting says."""
    silent = find_silent().select_related("agent").order_by("updated_at")[:SWEPT]
    jobs = [ask_for_extraction(conversation, Cause.IDLE) for conversation in silent]
    return [job.pk for job in jobs if job is not None and job.is_running]


def find_silent() -> QuerySet[Conversation]:
    """Those alone of which something is due: whatever waits for years in front of them must not keep them waiting."""
    minutes = Cast("agent__idle_minutes", IntegerField())
    patience = ExpressionWrapper(minutes * timedelta(minutes=1), output_field=DurationField())
    quiet = ExpressionWrapper(timezone.now() - patience, output_field=DateTimeField())
    open_ = Conversation.objects.filter(deleted_at__isnull=True, mode=Conversation.Mode.NORMAL, agent__extracts=True)
    jobs = ExtractionJob.objects.filter(conversation=OuterRef("pk"), prompt_version=PROMPT_VERSION)
    covering = jobs.filter(upto_id__gte=OuterRef("leaf_id")).exclude(state=State.SKIPPED, reason__in=WITHDRAWN)
    unfinished = Message.objects.unfinished().filter(conversation=OuterRef("pk"))
    unread = open_.filter(leaf_id__gt=F("extracted_to"), updated_at__lt=quiet)
    return unread.exclude(Exists(covering)).exclude(Exists(unfinished))
