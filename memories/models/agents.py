from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from memories.models.modes import MemoryMode
from memories.models.secrets import SecretKind, default_redacted_kinds
from memories.models.types import Category
from xiajiao.models import Provider, User


class AgentQuerySet(models.QuerySet["Agent"]):
    def for_user(self, user: User) -> AgentQuerySet:
        """The agents that this person may talk to: their own and the shared ones."""
        return self.filter(Q(owner=user) | Q(is_shared=True))

    def left_by(self, user: User) -> AgentQuerySet:
        """Other people's agents that this person can't begin to talk to any more, and has files with."""
        left = self.exclude(owner=user).exclude(is_shared=True, archived_at__isnull=True)
        return left.filter(profile_files__user=user, profile_files__text__gt="").distinct()

    def owned_by(self, user: User) -> AgentQuerySet:
        """The agents that this person may change."""
        return self.filter(owner=user)

    def unarchived(self) -> AgentQuerySet:
        return self.filter(archived_at__isnull=True)

    def with_counts(self, user: User) -> AgentQuerySet:
        """`semantic_count`, `episodic_count`, `procedural_count`: this person's kept memories with each agent."""
        kept = Q(memories__user=user, memories__deleted_at__isnull=True, memories__superseded_by__isnull=True)
        counts = {f"{name}_count": Count("memories", kept & Q(memories__category=name)) for name in Category.values}
        return self.annotate(**counts)


class Agent(models.Model):
    """One character to talk to; its memory is what makes it another than the next one."""

    class MemoryPosition(models.TextChoices):
        SYSTEM_END = "system_end", _("at the end of the system prompt")
        BEFORE_MESSAGE = "before_message", _("just before the last message (keeps the provider's prompt cache)")

    class WhenSourceGoes(models.TextChoices):
        ASK = "ask", _("ask me each time")
        KEEP = "keep", _("keep them")
        DISABLE = "disable", _("switch them off")
        DELETE = "delete", _("delete them")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="agents")
    is_shared = models.BooleanField(_("shared with everybody here"), default=False)
    name = models.CharField(_("name"), max_length=80)
    emoji = models.CharField(_("emoji"), max_length=16, blank=True)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES, default="zh-hans")
    base_prompt = models.TextField(_("base prompt"), blank=True, max_length=20_000)
    provider = models.ForeignKey(
        Provider, models.SET_NULL, null=True, blank=True, related_name="agents", verbose_name=_("provider")
    )
    model_name = models.CharField(_("model"), max_length=200, blank=True)
    temperature = models.FloatField(
        _("temperature"), null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(2)]
    )
    # None: all tools, those of later versions included.
    allowed_tools = models.JSONField(_("tools allowed"), null=True, blank=True)
    auto_inject_memory = models.BooleanField(_("recall memories for each message"), default=True)
    top_k = models.PositiveSmallIntegerField(
        _("memories recalled at most"), default=10, validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    # None: the calibrated floor of the embedding model.
    relevance_floor = models.FloatField(
        _("relevance floor"), null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    memory_position = models.CharField(
        _("place of recalled memories"), max_length=20, choices=MemoryPosition, default=MemoryPosition.SYSTEM_END
    )
    when_source_goes = models.CharField(
        _("when what was said is changed or deleted, memories that came from it alone"),
        max_length=10,
        choices=WhenSourceGoes,
        default=WhenSourceGoes.ASK,
    )
    default_mode = models.CharField(
        _("new conversations"), max_length=10, choices=MemoryMode, default=MemoryMode.NORMAL
    )
    # Whether what was said is looked through afterwards; after so many messages, or minutes of silence.
    extracts = models.BooleanField(_("learn from conversations when they end"), default=True)
    extract_every = models.PositiveSmallIntegerField(
        _("also after so many messages"), default=20, validators=[MinValueValidator(4), MaxValueValidator(500)]
    )
    idle_minutes = models.PositiveSmallIntegerField(
        _("ends after so many minutes of silence"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
    )
    # Whether what it and extractions want to keep waits for the person's word.
    asks_before_writing = models.BooleanField(_("ask before anything is kept"), default=False)
    # Whether it may change its own SOUL by tool.
    may_edit_soul = models.BooleanField(_("may change who it is (SOUL)"), default=False)
    redacted_kinds = models.JSONField(_("left out of memories"), default=default_redacted_kinds, blank=True)
    # An alias of VECTOR_STORES, and the one in which the vectors lie as long as they have not been moved there.
    vector_store = models.CharField(max_length=50, default="default")
    vectors_in = models.CharField(max_length=50, default="default", editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = AgentQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            self.vectors_in = self.vector_store
        super().save(*args, **kwargs)

    @property
    def is_moving(self) -> bool:
        """Whether its vectors are yet to be moved to the store that it names."""
        return self.vectors_in != self.vector_store

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def initial(self) -> str:
        """The face of an agent without an emoji."""
        return self.name[:1].upper()

    @property
    def secret_kinds(self) -> set[str]:
        """What the write gate leaves out of this agent's memories."""
        return set(SecretKind.values) & set(self.redacted_kinds or ())

    def is_open_to(self, user: User) -> bool:
        """As `for_user`."""
        return self.is_shared or self.owner_id == user.pk

    def may_change_soul(self, user_id: int | None) -> bool:
        """By its tools, in a conversation of this person: its owner alone says who it is for everybody."""
        return self.may_edit_soul and self.owner_id == user_id

    def allows(self, tool_name: str) -> bool:
        return self.allowed_tools is None or tool_name in self.allowed_tools
