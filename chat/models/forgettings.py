from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.models.messages import Message
from xiajiao.models import ClaimedJob, User


class ForgettingQuerySet(models.QuerySet["Forgetting"]):
    def for_user(self, user: User) -> ForgettingQuerySet:
        return self.filter(user=user)

    def agreed(self) -> ForgettingQuerySet:
        """Without those that an agent proposed and the person has not agreed to."""
        return self.exclude(state__in=[Forgetting.State.PROPOSED, Forgetting.State.DISMISSED])


class Forgetting(ClaimedJob):
    """Memories that a person has forgotten for good, or that an agent proposed; when it is over, the receipt of it.

    It holds no text of theirs: numbers, and how much was removed from where. `attempts`: in vain since the last
    memory that went.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        DISMISSED = "dismissed", _("turned down")
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    WORKED_AT = (State.PENDING, State.RUNNING)
    # It beats at each memory.
    SILENCE = timedelta(seconds=60)
    PICKED_UP = timedelta(seconds=5)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="forgettings")
    # The answer in which an agent proposed it.
    answer = models.ForeignKey(Message, models.SET_NULL, null=True, blank=True, related_name="forgettings")
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    # What the person called it, encrypted, as long as it is needed.
    topic = models.TextField(blank=True)
    # The agent that alone was meant, by its number; None: all that the person talks to.
    agent_number = models.BigIntegerField(null=True, blank=True)
    # The person wants what agents' files say of the topic to stay.
    spares_files = models.BooleanField(default=False)
    # Numbers of what is to go, in order, the first `done` of which are gone; empty when it is over.
    memory_ids = models.JSONField(default=list, blank=True)
    message_ids = models.JSONField(default=list, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # {"tool_calls": 3, "prompts": 0}: how much was removed from each place that was looked through.
    removed = models.JSONField(default=dict, blank=True)
    # Messages that say it and were not ticked.
    messages_left = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)

    objects = ForgettingQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="forgetting_person"),
            models.Index(fields=["state"], condition=Q(state__in=["pending", "running"]), name="forgetting_due"),
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()} ({self.done}/{self.total})"

    @property
    def is_pending(self) -> bool:
        return self.is_running

    @property
    def is_proposed(self) -> bool:
        return self.state == self.State.PROPOSED
