from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.conversations import Conversation
from xiajiao.models import ClaimedJob, User


class ExtractionJobQuerySet(models.QuerySet["ExtractionJob"]):
    def for_user(self, user: User) -> ExtractionJobQuerySet:
        return self.filter(conversation__user=user, conversation__deleted_at__isnull=True)

    def due(self) -> ExtractionJobQuerySet:
        waiting = self.filter(state=ExtractionJob.State.WAITING)
        return waiting.filter(Q(due_at__isnull=True) | Q(due_at__lte=timezone.now()))


class ExtractionJob(ClaimedJob):
    """What a conversation said up to a message is looked through once for what is worth remembering.

    It commits with whatever makes it due. What the model proposed is kept before anything of it is written, and how
    much is written with each memory, so that a worker that dies leaves nothing twice and nothing out.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        SKIPPED = "skipped", _("nothing to do")
        FAILED = "failed", _("failed")

    class Cause(models.TextChoices):
        CLOSED = "closed", _("the conversation was closed")
        IDLE = "idle", _("nothing was said for a while")
        GROWN = "grown", _("much was said")
        ASKED = "asked", _("somebody asked for it")

    WORKED_AT = (State.WAITING,)
    # A slow model may think for long before its first word.
    SILENCE = timedelta(minutes=10)

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="extractions")
    cause = models.CharField(max_length=10, choices=Cause)
    # The last message that it reads; it begins behind the conversation's cursor.
    upto_id = models.BigIntegerField()
    prompt_version = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # A code for the page to word, and what the server said.
    reason = models.CharField(max_length=40, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    # Of a model's reply that could not be read, for a person to look at.
    raw_reply = models.TextField(blank=True)
    model_name = models.CharField(max_length=200, blank=True)
    # What was proposed, in order; None: nobody was asked yet. The first `written` of them went through the gate.
    candidates = models.JSONField(null=True, blank=True)
    written = models.PositiveIntegerField(default=0)
    # What became of each of those, in the same order: chat/extraction/outcomes.py.
    outcomes = models.JSONField(default=list, blank=True)
    # What a model said of pairs that the gate was in doubt of (chat/extraction/deciding.py); None: not asked yet.
    verdicts = models.JSONField(null=True, blank=True)
    # The line that goes into the day's text.
    summary = models.CharField(max_length=300, blank=True)
    # How often a worker has begun it.
    tries = models.PositiveSmallIntegerField(default=0)
    # After a failure of the model it waits until then.
    failures = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)

    objects = ExtractionJobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "upto_id", "prompt_version"], name="one_extraction_a_message"
            )
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="extraction_due"),
            models.Index(fields=["conversation"], condition=Q(state="failed"), name="extraction_failed"),
        ]
