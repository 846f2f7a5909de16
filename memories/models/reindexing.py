from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from xiajiao.models import ClaimedJob, User


class ReindexingQuerySet(models.QuerySet["Reindexing"]):
    def for_user(self, user: User) -> ReindexingQuerySet:
        """Of the person's own agents, and what they asked for; staff see all."""
        return self if user.is_staff else self.filter(Q(asked_by=user) | Q(agent__owner=user))

    def unfinished(self) -> ReindexingQuerySet:
        return self.filter(state__in=Reindexing.WORKED_AT)


class Reindexing(ClaimedJob):
    """Making the indexes of memories anew from the rows, in the background."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    WORKED_AT = (State.WAITING, State.RUNNING)
    SILENCE = timedelta(seconds=90)
    PICKED_UP = timedelta(seconds=5)

    # None: of all agents.
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="reindexings")
    # Everything anew, or only what the indexes lack or have too much.
    is_whole = models.BooleanField(default=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    # Memories; the last one done by its id, in whose order they are done.
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    cursor = models.BigIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)

    objects = ReindexingQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.state} {self.done}/{self.total}"


class IndexDrift(models.Model):
    """How far the indexes of one agent's memories of one person have drifted from the rows; none where they agree."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    lacking = models.PositiveIntegerField(default=0)
    too_much = models.PositiveIntegerField(default=0)
    found_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["agent", "user"], name="index_drift")]

    def __str__(self) -> str:
        return f"{self.lacking} lacking, {self.too_much} too much"
