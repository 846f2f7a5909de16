from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from xiajiao.models import ClaimedJob, User

# How long a deletion can be taken back, and any change of many memories, counted from its end.
UNDO_TIME = timedelta(minutes=10)
# How long a change that was stopped or failed can go on.
KEPT_OPEN = timedelta(days=1)
# Of what was skipped for one reason, so many memories are named.
NAMED = 20


class BulkChangeQuerySet(models.QuerySet["BulkChange"]):
    def for_user(self, user: User) -> BulkChangeQuerySet:
        """What the person changed; staff may look at everybody's, as at the memories themselves."""
        return self if user.is_staff else self.filter(user=user)

    def unfinished(self) -> BulkChangeQuerySet:
        return self.filter(state__in=UNFINISHED)

    def left_open(self) -> BulkChangeQuerySet:
        """Not over, or failed with something left that can still be done or given up."""
        left = Exists(BulkBatch.objects.filter(change=OuterRef("pk")))
        undone = Exists(BulkChange.objects.filter(undoes=OuterRef("pk")))
        return self.filter(Q(state__in=UNFINISHED) | Q(left, ~undone, state=BulkChange.State.FAILED))

    def holding(self) -> BulkChangeQuerySet:
        """Whose deleted memories may still be brought back: none of them may be removed yet."""
        recent = Q(state__in=UNFINISHED) | Q(finished_at__gt=timezone.now() - UNDO_TIME)
        undoing = BulkChange.objects.filter(recent, undoes=OuterRef("pk"))
        return self.filter(recent | Q(Exists(undoing)), action=BulkChange.Action.DELETE)


class BulkChange(ClaimedJob):
    """One thing done to many memories at once. `attempts`: in vain since the last batch that was committed."""

    class Action(models.TextChoices):
        ENABLE = "enable", _("Switch on")
        DISABLE = "disable", _("Switch off")
        PIN = "pin", _("Pin")
        UNPIN = "unpin", _("Unpin")
        TYPE = "type", _("Change the type")
        CATEGORY = "category", _("Change the category")
        DELETE = "delete", _("Delete")
        UNDO = "undo", _("Undo")

    class State(models.TextChoices):
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("stopped")

    WORKED_AT = (State.PENDING, State.RUNNING)
    # It beats at least every few seconds.
    SILENCE = timedelta(seconds=30)
    PICKED_UP = timedelta(seconds=5)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bulk_changes")
    action = models.CharField(max_length=20, choices=Action)
    # {"type": id} or {"category": "episodic"}; empty for the others.
    arguments = models.JSONField(default=dict, blank=True)
    # {"ids": [1, 2]}, or {"filter": "category=semantic&tag=work"} as MemoryFilter says it. What the filter matched at
    # created_at stands in the batches: later rows are not swept in.
    selection = models.JSONField(default=dict, blank=True)
    undoes = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="undoings")
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # {"not_allowed": {"count": 3, "some": [7, 8, 9]}}; codes of memories.bulk.outcomes.
    skipped = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True, blank=True)

    objects = BulkChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="bulk_change_person"),
            models.Index(fields=["state"], condition=Q(state__in=["pending", "running"]), name="bulk_change_due"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} ({self.total})"

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED

    @property
    def skipped_count(self) -> int:
        return sum(each["count"] for each in self.skipped.values())

    @property
    def handled(self) -> int:
        return self.done + self.skipped_count

    @property
    def undo_until(self) -> Any:
        """The moment after which it can't be taken back; None where it can't be at all or isn't over."""
        if self.action == self.Action.UNDO or not self.done or self.finished_at is None:
            return None
        return self.finished_at + UNDO_TIME

    @property
    def can_undo(self) -> bool:
        return self.undo_until is not None and timezone.now() < self.undo_until and not self.undoings.exists()

    @property
    def can_go_on(self) -> bool:
        """Whether it stopped before its end and what is left can still be done."""
        stopped = self.state in {self.State.FAILED, self.State.CANCELLED}
        return stopped and not self.undoings.exists() and self.batches.exists()


UNFINISHED = (BulkChange.State.PENDING, BulkChange.State.RUNNING)


class BulkBatch(models.Model):
    """Memories of one agent and person that a change has yet to reach. It goes in the transaction that changes them."""

    change = models.ForeignKey(BulkChange, models.CASCADE, related_name="batches")
    agent_id = models.BigIntegerField()
    user_id = models.BigIntegerField(null=True, blank=True)
    memory_ids = models.JSONField()

    class Meta:
        ordering = ["pk"]
