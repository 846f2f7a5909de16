"""When a conversation is looked through: closed, silent for a while, or grown; the row commits with the cause."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.extraction.dialogue import find_last, read_dialogue
from chat.models import Conversation, ExtractionJob
from memories.extraction.prompting import PROMPT_VERSION

Cause = ExtractionJob.Cause
# Conversations of one sweep.
SWEPT = 50


def ask_for_extraction(conversation: Conversation, cause: str) -> ExtractionJob | None:
    """The job of all that was said since the last one; None where nothing is to be remembered or nothing was said."""
    if conversation.mode != Conversation.Mode.NORMAL or not conversation.agent.extracts:
        return None
    upto = find_last(conversation)
    if upto <= conversation.extracted_to:
        return None
    job, _is_new = ExtractionJob.objects.get_or_create(
        conversation=conversation, upto_id=upto, prompt_version=PROMPT_VERSION, defaults={"cause": cause}
    )
    return job


@transaction.atomic
def close(conversation: Conversation) -> ExtractionJob | None:
    """By its person. Writing on opens it again, behind what was read."""
    Conversation.objects.filter(pk=conversation.pk).update(closed_at=timezone.now())
    return ask_for_extraction(conversation, Cause.CLOSED)


def note_growth(conversation: Conversation) -> ExtractionJob | None:
    """After an answer, in its transaction; the sweep finds the job."""
    conversation.refresh_from_db(fields=["leaf", "mode", "extracted_to"])
    new = conversation.messages.kept().filter(pk__gt=conversation.extracted_to)
    if new.count() < conversation.agent.extract_every:
        return None
    dialogue = read_dialogue(conversation, find_last(conversation))
    if len(dialogue.messages) < conversation.agent.extract_every:
        return None
    return ask_for_extraction(conversation, Cause.GROWN)


def end_silent() -> list[int]:
    """Keys of jobs of conversations in which nothing was said for as long as their agent's setting says."""
    rows = Conversation.objects.filter(
        deleted_at__isnull=True,
        mode=Conversation.Mode.NORMAL,
        agent__extracts=True,
        leaf__pk__gt=F("extracted_to"),
        updated_at__lt=timezone.now() - timedelta(minutes=1),
    ).select_related("agent")
    silent = [row for row in rows.order_by("updated_at")[: 10 * SWEPT] if is_silent(row)][:SWEPT]
    jobs = [ask_for_extraction(conversation, Cause.IDLE) for conversation in silent]
    return [job.pk for job in jobs if job is not None and job.is_running]


def is_silent(conversation: Conversation) -> bool:
    quiet = timezone.now() - timedelta(minutes=conversation.agent.idle_minutes)
    return conversation.updated_at < quiet and not conversation.messages.unfinished().exists()
