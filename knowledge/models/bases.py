from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from xiajiao.models import User

# Tokens, as knowledge/chunking estimates them.
SIZE, OVERLAP, PARENT_SIZE = 512, 64, 1536
LEAST, MOST = 64, 2048


class KnowledgeBaseQuerySet(models.QuerySet["KnowledgeBase"]):
    def for_user(self, user: User) -> KnowledgeBaseQuerySet:
        """What the person may read: their own, and what is shared; staff look after all but files of conversations."""
        seen = Q(owner=user) | Q(is_shared=True)
        if user.is_staff:
            seen |= Q(conversation_id__isnull=True)
        return self.filter(seen, deleted_at__isnull=True)

    def editable_by(self, user: User) -> KnowledgeBaseQuerySet:
        own = Q(owner=user) | Q(conversation_id__isnull=True) if user.is_staff else Q(owner=user)
        return self.filter(own, deleted_at__isnull=True)

    def searched_by(self, user: User) -> KnowledgeBaseQuerySet:
        """What turns of this person may search: of staff, too, no more than of anybody."""
        return self.filter(Q(owner=user) | Q(is_shared=True), deleted_at__isnull=True)

    def kept(self) -> KnowledgeBaseQuerySet:
        """Without the files that belong to one conversation."""
        return self.filter(conversation_id__isnull=True)

    def asked_in(self, agent_id: int, user: User, conversation_id: int | None = None) -> KnowledgeBaseQuerySet:
        """What a person's turn with an agent searches."""
        used = Q(serves_all_agents=True) | Q(
            pk__in=self.model.agents.through.objects.filter(agent=agent_id).values("knowledgebase")
        )
        attached = Q(owner=user, conversation_id=conversation_id) if conversation_id is not None else Q(pk__in=[])
        return self.searched_by(user).filter(used & Q(conversation_id__isnull=True) | attached)


class KnowledgeBase(models.Model):
    """Documents that are searched together, and how they are cut into chunks."""

    name = models.CharField(_("name"), max_length=100)
    description = models.TextField(_("description"), blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="knowledge_bases")
    is_shared = models.BooleanField(_("shared with all users"), default=False)
    serves_all_agents = models.BooleanField(_("used by all agents"), default=False)
    agents = models.ManyToManyField("memories.Agent", blank=True, related_name="knowledge_bases")
    # Files attached to a conversation and used in it alone: the conversation's id, which is a row of `chat`.
    conversation_id = models.BigIntegerField(null=True, blank=True, unique=True)
    # Since the conversation was deleted; it goes with it, or comes back.
    deleted_at = models.DateTimeField(null=True, blank=True)
    # An alias of EMBEDDERS; empty: the installation's own.
    embedder = models.CharField(_("embedding model"), max_length=50, blank=True)
    chunk_size = models.PositiveIntegerField(
        _("chunk size"), default=SIZE, validators=[MinValueValidator(LEAST), MaxValueValidator(MOST)]
    )
    chunk_overlap = models.PositiveIntegerField(_("overlap"), default=OVERLAP)
    # What the model reads around a chunk that was found; as large as the chunk where it is no larger.
    parent_size = models.PositiveIntegerField(_("size of the text around"), default=PARENT_SIZE)
    # Tried first, in this order, each on a line of its own; empty: by the structure of the text.
    separators = models.JSONField(_("separators"), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = KnowledgeBaseQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(chunk_overlap__lt=F("chunk_size")), name="overlap_under_size"),
            models.UniqueConstraint(
                fields=["owner", "name"], condition=Q(conversation_id__isnull=True), name="one_base_a_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name
