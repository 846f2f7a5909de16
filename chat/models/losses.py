from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.conversations import Conversation
from chat.models.messages import Message
from memories.models import Memory, MemoryRevision
from xiajiao.models import User


class SourceLossQuerySet(models.QuerySet["SourceLoss"]):
    def for_user(self, user: User) -> SourceLossQuerySet:
        return self.filter(user=user)

    def open(self) -> SourceLossQuerySet:
        """Questions that are still to be answered: what was done to the memory meanwhile may have answered them."""
        Action = MemoryRevision.Action
        since = MemoryRevision.objects.filter(memory=OuterRef("memory"), at__gt=OuterRef("created_at"))
        settled = Q(action__in=[Action.REINFORCED, Action.IGNORED]) | Q(
            action=Action.EDITED, actor=MemoryRevision.Actor.PERSON
        )
        unsettled = self.filter(state=SourceLoss.State.OPEN).exclude(Exists(since.filter(settled)))
        return unsettled.filter(memory__deleted_at__isnull=True, memory__enabled=True, memory__pinned=False)


class SourceLoss(models.Model):
    """A memory that lost all that it rested on, and what became of it, by the agent's setting or the person's word."""

    class Cause(models.TextChoices):
        EDITED = "edited", _("a message was edited")
        DELETED = "deleted", _("a message was deleted")
        REGENERATED = "regenerated", _("an answer was replaced")
        CONVERSATION_DELETED = "conversation_deleted", _("a conversation was deleted")

    class State(models.TextChoices):
        OPEN = "open", _("to be answered")
        KEPT = "kept", _("kept")
        DISABLED = "disabled", _("switched off")
        DELETED = "deleted", _("deleted")
        # Only its newest wording came from what went: it has the one before it again.
        REWORDED = "reworded", _("put back to the wording before it")
        SETTLED = "settled", _("said again")
        RETURNED = "returned", _("its source came back")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="source_losses")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="source_losses")
    conversation = models.ForeignKey(Conversation, models.SET_NULL, null=True, related_name="source_losses")
    # What was edited, deleted or replaced; none where all of the conversation went.
    message = models.ForeignKey(Message, models.SET_NULL, null=True, related_name="source_losses")
    cause = models.CharField(max_length=30, choices=Cause)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    was_asked = models.BooleanField(default=False)
    # Revisions, of this memory and of those that it had superseded, by which the state came about; undone in reverse.
    revisions = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = SourceLossQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["memory"], condition=Q(state="open"), name="one_open_loss_of_a_memory")
        ]
        indexes = [models.Index(fields=["user"], condition=Q(state="open"), name="source_loss_open")]
