"""How a conversation ended, and what came of it: what its page says below the last message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from chat.extraction.dialogue import find_last
from chat.extraction.outcomes import KEPT, list_outcomes
from chat.models import Conversation, ExtractionJob
from chat.provenance import Learned
from memories.models import Memory, MemoryRevision, PendingWrite, ProfileRevision

State = ExtractionJob.State


@dataclass(frozen=True)
class Ending:
    """`job`: the last look at it, where nothing was said since. `learned`: all that came of such, each once.

    `waiting`: so much of it waits for the person's approval. `noted_on`: the day in whose text its line stands.
    """

    is_closed: bool
    job: ExtractionJob | None = None
    learned: Sequence[Learned] = ()
    waiting: int = 0
    noted_on: date | None = None

    @property
    def is_running(self) -> bool:
        return self.job is not None and self.job.is_running

    @property
    def is_put_off(self) -> bool:
        """The model was away: it is tried again by itself at `job.due_at`."""
        return self.job is not None and self.is_running and bool(self.job.due_at and self.job.due_at > timezone.now())

    @property
    def noted(self) -> str:
        """The line that it left in the day's text."""
        return self.job.summary if self.job is not None and self.job.state == State.DONE else ""

    @property
    def has_failed(self) -> bool:
        return self.job is not None and self.job.state == State.FAILED


def find_day(conversation: Conversation) -> date | None:
    """In whose text its newest line stands."""
    lines = ProfileRevision.objects.filter(conversation_id=conversation.pk, actor=MemoryRevision.Actor.EXTRACTION)
    return lines.order_by("-pk").values_list("file__day", flat=True).first()


def describe_ending(conversation: Conversation) -> Ending | None:
    """None while it is open, unless it was looked through since the last message, and somebody asked for that or
    something came of it."""
    is_closed = conversation.closed_at is not None
    newest = conversation.extractions.first()
    if newest is None:
        return Ending(is_closed) if is_closed else None
    # What is read of a closed one may be another branch by now.
    job = newest if is_closed or newest.upto_id >= find_last(conversation) else None
    waiting = PendingWrite.objects.waiting().filter(conversation_id=conversation.pk, answer_id__isnull=True).count()
    ending = Ending(is_closed, job, list_extracted(conversation), waiting, find_day(conversation))
    if is_closed or job is None:
        return ending if is_closed else None
    is_asked = job.cause == ExtractionJob.Cause.ASKED
    has_found = job.state == State.DONE and (ending.learned or waiting)
    return ending if is_asked or ending.has_failed or has_found else None


def list_extracted(conversation: Conversation) -> list[Learned]:
    """Memories that came of looks at it and are still there, each with what was done last, in the order of that."""
    jobs = conversation.extractions.order_by("pk")
    outcomes = [each for job in jobs for each in list_outcomes(job) if each.code in KEPT]
    codes = {each.memory_id: each.code for each in outcomes if each.memory_id is not None}
    memories = Memory.objects.filter(user=conversation.user_id, deleted_at__isnull=True).in_bulk(list(codes))
    return [Learned(memories[pk], code, memories[pk].content) for pk, code in codes.items() if pk in memories]
