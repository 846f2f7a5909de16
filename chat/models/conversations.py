from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models import Agent, MemoryMode
from xiajiao.models import User


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def for_user(self, user: User) -> ConversationQuerySet:
        """Conversations are private to their user, whoever owns the agent."""
        return self.filter(user=user, deleted_at__isnull=True)

    def lasting(self) -> ConversationQuerySet:
        """All but temporary ones."""
        return self.exclude(mode=MemoryMode.TEMPORARY)

    def expired(self) -> ConversationQuerySet:
        """Temporary ones in which nothing was said for TEMPORARY_HOURS."""
        end = timezone.now() - timedelta(hours=settings.TEMPORARY_HOURS)
        return self.filter(mode=MemoryMode.TEMPORARY, updated_at__lt=end)


class Conversation(models.Model):
    """A chat of one person with one agent: a tree of messages, and the branch that is read now."""

    Mode = MemoryMode

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="conversations")
    title = models.CharField(_("title"), max_length=200, blank=True)
    # The last message of the branch that is read now; its ancestors are what the page shows.
    leaf = models.ForeignKey("chat.Message", models.SET_NULL, null=True, blank=True, related_name="+")
    mode = models.CharField(_("memory"), max_length=10, choices=MemoryMode, default=MemoryMode.NORMAL)
    # What it is told of the profile files, read once when it begins; None: not yet.
    profile_text = models.TextField(null=True, blank=True)
    profile_at = models.DateTimeField(null=True, blank=True)
    # The last message that an extraction has read; 0: none yet.
    extracted_to = models.BigIntegerField(default=0)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at", "-pk"]
        indexes = [
            models.Index(fields=["user", "-updated_at", "-id"], name="conversation_list"),
            models.Index(fields=["deleted_at"], condition=models.Q(deleted_at__isnull=False), name="conversation_gone"),
        ]

    def __str__(self) -> str:
        return self.title or str(_("New conversation"))

    @property
    def expires_at(self) -> datetime | None:
        """When a temporary one goes for good; None: it stays."""
        if self.mode != MemoryMode.TEMPORARY:
            return None
        return self.updated_at + timedelta(hours=settings.TEMPORARY_HOURS)
