from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from memories.models.revisions import MemoryRevision
from xiajiao.models import User


class ProfileKind(models.TextChoices):
    SOUL = "soul", _("SOUL: who the agent is")
    USER = "user", _("USER: who you are")
    MEMORY = "memory", _("MEMORY: its notes")
    DAILY = "daily", _("DAILY: its days")


class ProfileFileQuerySet(models.QuerySet["ProfileFile"]):
    def for_user(self, user: User) -> ProfileFileQuerySet:
        """What the person may read: their own files, and who the agents are that they may talk to."""
        return self.filter(Q(user=user) | Q(user__isnull=True, agent__in=Agent.objects.for_user(user)))

    def editable_by(self, user: User) -> ProfileFileQuerySet:
        return self.filter(Q(user=user) | Q(user__isnull=True, agent__in=Agent.objects.owned_by(user)))


class ProfileFile(models.Model):
    """One file of an agent: SOUL is the same for all its users, the others each person's own, DAILY one a day."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="profile_files")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=ProfileKind)
    day = models.DateField(null=True, blank=True)
    # As it was written; budgets cut only what is injected.
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    objects = ProfileFileQuerySet.as_manager()

    class Meta:
        ordering = ["agent", "kind", "-day"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="soul", user__isnull=True) | ~Q(kind="soul") & Q(user__isnull=False),
                name="soul_is_nobodys",
            ),
            models.CheckConstraint(
                condition=Q(kind="daily", day__isnull=False) | ~Q(kind="daily") & Q(day__isnull=True),
                name="daily_has_a_day",
            ),
            models.UniqueConstraint(fields=["agent"], condition=Q(kind="soul"), name="one_soul"),
            models.UniqueConstraint(
                fields=["agent", "user", "kind"], condition=Q(day__isnull=True), name="one_profile_file"
            ),
            models.UniqueConstraint(fields=["agent", "user", "day"], name="one_daily_a_day"),
        ]

    def __str__(self) -> str:
        return self.kind.upper()


class ProfileRevision(models.Model):
    """One change of a profile file: who, when, how, and what stood there before."""

    class Action(models.TextChoices):
        CREATED = "created", _("written first")
        ADDED = "added", _("added to a section")
        REPLACED = "replaced", _("replaced in a section")
        REMOVED = "removed", _("section removed")
        EDITED = "edited", _("edited")
        RESTORED = "restored", _("restored")
        IMPORTED = "imported", _("imported")
        FORGOTTEN = "forgotten", _("something forgotten for good")

    file = models.ForeignKey(ProfileFile, models.CASCADE, related_name="revisions")
    # Of the file, once it was made.
    version = models.PositiveIntegerField()
    action = models.CharField(max_length=10, choices=Action)
    actor = models.CharField(max_length=20, choices=MemoryRevision.Actor)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    section = models.CharField(max_length=200, blank=True)
    conversation_id = models.BigIntegerField(null=True, blank=True)
    # The person's message that was answered, and the answer in whose turn an agent did it.
    message_id = models.BigIntegerField(null=True, blank=True)
    answer_id = models.BigIntegerField(null=True, blank=True)
    # Kinds of secrets that were left out, and the version that was put back.
    reason = models.JSONField(default=dict, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["file", "version"], name="one_revision_a_version")]
        indexes = [
            models.Index(fields=["answer_id"], condition=Q(answer_id__isnull=False), name="profile_revision_answer"),
        ]
