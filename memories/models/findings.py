from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from memories.models.memories import Memory
from xiajiao.models import User


class FindingQuerySet(models.QuerySet["Finding"]):
    def editable_by(self, user: User) -> FindingQuerySet:
        """What the person may settle: as with the memories themselves, staff all."""
        if user.is_staff:
            return self
        return self.filter(Q(user=user) | Q(user__isnull=True, agent__owner=user))

    def parts_of(self, user: User, everybody: bool = False) -> list[FindingQuerySet]:
        """The person's own to settle (`everybody`: anybody's, for staff alone), each piece a range of an index."""
        if user.is_staff and everybody:
            return [self]
        owned = list(Agent.objects.owned_by(user).order_by().values_list("pk", flat=True))
        return [self.filter(user=user), self.filter(user__isnull=True, agent__in=owned)]

    def open(self) -> FindingQuerySet:
        return self.filter(settled_at__isnull=True)

    def count_by_kind(self) -> dict[str, int]:
        return dict(self.order_by().values_list("kind").annotate(Count("pk")))


class Finding(models.Model):
    """Something doubtful in one memory, or in two side by side, that a person may settle.

    Of a pair `memory` is the older one. Agent and user are the memory's own, so that counting needs no other table.
    """

    class Kind(models.TextChoices):
        DUPLICATE = "duplicate", _("Likely duplicates")
        CONTRADICTION = "contradiction", _("Likely contradictions")
        SECRET = "secret", _("Secrets")
        LANGUAGE = "language", _("Another language")
        UNUSED = "unused", _("Never recalled")
        OVERUSED = "overused", _("Recalled too often")

    kind = models.CharField(max_length=20, choices=Kind)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="findings")
    other = models.ForeignKey(Memory, models.CASCADE, null=True, blank=True, related_name="findings_beside")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    # Orders a list: the surest, or the oldest, first.
    score = models.FloatField(default=0.0)
    # Why, as plain data, worded by the page; never a text of a memory.
    details = models.JSONField(default=dict, blank=True)
    found_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decision = models.CharField(max_length=20, blank=True)

    objects = FindingQuerySet.as_manager()

    class Meta:
        ordering = ["-score", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["memory", "kind", "other"], name="one_finding_a_pair"),
            models.UniqueConstraint(
                fields=["memory", "kind"], condition=Q(other__isnull=True), name="one_finding_a_memory"
            ),
        ]
        indexes = [
            models.Index(
                fields=["user", "kind", "-score", "-id"], condition=Q(settled_at__isnull=True), name="finding_of_person"
            ),
            models.Index(fields=["kind", "-score", "-id"], condition=Q(settled_at__isnull=True), name="finding_of_all"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def memories(self) -> list[Memory]:
        """The older one first."""
        return [self.memory] if self.other is None else [self.memory, self.other]


class HealthState(models.Model):
    """One row: how far the looking through memories has come, and what stood in its way."""

    # Of the rules: where they change, everything is looked at again.
    edition = models.PositiveIntegerField(default=0)
    # Somebody wants all of it now.
    asked_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    # When nothing was left to look at.
    finished_at = models.DateTimeField(null=True, blank=True)
    recalls_read_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)
    # Why memories waited for their vectors when they were last to be made.
    vector_error = models.CharField(max_length=500, blank=True)
