from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from memories.models.memories import Memory
from memories.models.revisions import MemoryRevision
from xiajiao.models import User


class PendingWriteQuerySet(models.QuerySet["PendingWrite"]):
    def for_user(self, user: User) -> PendingWriteQuerySet:
        """A person's own, whoever owns the agent: nobody else decides what is remembered of them."""
        return self.filter(user=user)

    def waiting(self) -> PendingWriteQuerySet:
        return self.filter(state=PendingWrite.State.WAITING)

    def decided(self) -> PendingWriteQuerySet:
        return self.filter(state__in=[PendingWrite.State.APPROVED, PendingWrite.State.REJECTED])

    def under(self, answers: Mapping[int, int | None]) -> PendingWriteQuerySet:
        """What these answers asked for, and what an extraction made of the messages that they answer (the values)."""
        asked = [message_id for message_id in answers.values() if message_id is not None]
        return self.filter(Q(answer_id__in=list(answers)) | Q(answer_id__isnull=True, message_id__in=asked))

    def count_by_agent(self) -> dict[int, int]:
        """How many there are, by the id of the agent."""
        return dict(self.order_by().values_list("agent").annotate(count=Count("pk")))


class PendingWrite(models.Model):
    """Something that an agent wants to write of a person, and that waits for their word. Nothing is written before.

    `draft` holds it whole, without secrets: a Draft for a memory, columns for an edit, a piece of a profile file.
    """

    class Kind(models.TextChoices):
        MEMORY = "memory", _("new memory")
        EDIT = "edit", _("correction")
        DELETE = "delete", _("deletion")
        PROFILE = "profile", _("profile file")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits for you")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        # What it came from was deleted or put aside, or what it was to change is gone.
        OUTDATED = "outdated", _("out of date")

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="pending_writes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    draft = models.JSONField()
    # SHA-256 of the normalised text that was proposed: the same again is known by it.
    text_hash = models.CharField(max_length=64, blank=True)
    # Which memory it changes; once approved, the one that came of it.
    memory = models.ForeignKey(Memory, models.CASCADE, null=True, blank=True, related_name="pending_writes")
    # Of the memory or file when it was proposed.
    version = models.PositiveIntegerField(default=0)

    # Who proposes it and from where, as in Origin. Conversations live a floor above.
    actor = models.CharField(max_length=20, choices=MemoryRevision.Actor)
    conversation_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    # The last of the messages that were heard.
    message_id = models.BigIntegerField(null=True, blank=True)
    message_ids = models.JSONField(default=list, blank=True)
    answer_id = models.BigIntegerField(null=True, blank=True)
    # Whether these messages stand: none was deleted or put aside.
    is_standing = models.BooleanField(default=True)
    extractor_model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=50, blank=True)
    job_id = models.BigIntegerField(null=True, blank=True)

    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    # What was done then: a MemoryRevision or ProfileRevision action.
    outcome = models.CharField(max_length=20, blank=True)

    objects = PendingWriteQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["user", "agent"], condition=Q(state="waiting"), name="pending_waiting"),
            models.Index(fields=["state", "decided_at"], name="pending_decided"),
        ]

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    def is_under(self, answer_id: int, message_id: int | None) -> bool:
        """As `PendingWriteQuerySet.under`, of one answer to that message."""
        if self.answer_id is not None:
            return self.answer_id == answer_id
        return message_id is not None and self.message_id == message_id

    @property
    def is_profile(self) -> bool:
        return self.kind == self.Kind.PROFILE

    @property
    def text(self) -> str:
        """What would stand there; empty where something goes."""
        match self.kind:
            case self.Kind.MEMORY:
                return str(self.draft.get("content", ""))
            case self.Kind.EDIT:
                return str(self.draft["columns"].get("content", ""))
            case self.Kind.PROFILE:
                return str(self.draft.get("content", ""))
        return ""
