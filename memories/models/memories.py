from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from memories.models.listing import LIST_INDEXES, TIMED_INDEXES
from memories.models.types import Category, MemoryType
from xiajiao.models import User

UNLOOKED = Q(deleted_at__isnull=True, looked_version__lt=F("version"))


class MemoryQuerySet(models.QuerySet["Memory"]):
    def for_user(self, user: User) -> MemoryQuerySet:
        """The person's own memories, and those that all users of an agent share where they may use it."""
        shared = Q(user__isnull=True) & (Q(agent__owner=user) | Q(agent__is_shared=True))
        return self.filter(Q(user=user) | shared)

    def editable_by(self, user: User) -> MemoryQuerySet:
        """The person's own, and those that all users of an agent share where the agent is theirs; staff may all."""
        if user.is_staff:
            return self
        return self.filter(Q(user=user) | Q(user__isnull=True, agent__owner=user))

    def of(self, agent: Agent, user_id: int | None) -> MemoryQuerySet:
        """One agent's memories of one person; None: those shared by all users of the agent."""
        return self.of_person(agent.pk, user_id)

    def of_person(self, agent_id: int, user_id: int | None) -> MemoryQuerySet:
        """`of` for whom has the agent's id alone."""
        return self.filter(agent_id=agent_id, user_id=user_id)

    def kept(self) -> MemoryQuerySet:
        """Not deleted: active, superseded or disabled."""
        return self.filter(deleted_at__isnull=True)

    def active(self) -> MemoryQuerySet:
        """What the agent believes now."""
        now = timezone.now()
        started = Q(valid_from__isnull=True) | Q(valid_from__lte=now)
        unended = Q(valid_to__isnull=True) | Q(valid_to__gt=now)
        return self.filter(started, unended, enabled=True, deleted_at__isnull=True)

    def superseded(self) -> MemoryQuerySet:
        return self.kept().filter(superseded_by__isnull=False)

    def unembedded(self, model: str) -> MemoryQuerySet:
        """Those that lack a vector of this embedder (its name and dimension), for the sweep that makes them.

        Two ranges of an index; `exclude` would read every row. A union: it can be ordered and cut, not filtered.
        """
        waiting = self.filter(enabled=True, deleted_at__isnull=True, superseded_by__isnull=True).order_by()
        return waiting.filter(embedded_with__lt=model).union(waiting.filter(embedded_with__gt=model), all=True)

    def unlooked(self) -> MemoryQuerySet:
        """Those that were not yet looked through for what is doubtful, as they stand now."""
        return self.filter(UNLOOKED)

    def parts_of(self, user: User, everybody: bool = False) -> list[MemoryQuerySet]:
        """What the person may change (`everybody`: of anybody, for staff alone), each piece a range of an index."""
        if user.is_staff and everybody:
            return [self]
        owned = list(Agent.objects.owned_by(user).order_by().values_list("pk", flat=True))
        return [self.filter(user=user), self.filter(user__isnull=True, agent__in=owned)]

    def count_recall(self) -> None:
        """Touches neither `version` nor `updated_at`, or every chat would make a person's edit stale.

        Locks the rows in one order: turns that recall the same memories at once would else wait for each other.
        """
        with transaction.atomic():
            keys = list(self.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
            self.model.objects.filter(pk__in=keys).update(
                recall_count=F("recall_count") + 1, last_recalled_at=timezone.now()
            )


class Memory(models.Model):
    """One fact, event or way of doing things that an agent knows of a person."""

    Category = Category

    class Importance(models.IntegerChoices):
        LOW = 1, _("low")
        MEDIUM = 2, _("medium")
        HIGH = 3, _("high")

    class Source(models.TextChoices):
        TOOL = "tool", _("agent, in a chat")
        EXTRACTION = "extraction", _("extraction")
        MANUAL = "manual", _("written by hand")
        IMPORT = "import", _("import")
        API = "api", _("API")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Without indexes of their own, agent and type: those of the list serve, and would else be passed over for them.
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="memories", verbose_name=_("agent"), db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="memories")
    category = models.CharField(_("category"), max_length=20, choices=Category, default=Category.SEMANTIC)
    type = models.ForeignKey(
        MemoryType,
        models.PROTECT,
        related_name="memories",
        verbose_name=_("type"),
        limit_choices_to={"moves_to__isnull": True},
        db_index=False,
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    content = models.TextField(_("content"), max_length=10_000)
    description = models.CharField(_("description"), max_length=500, blank=True)
    tags = models.JSONField(_("tags"), default=list, blank=True)
    metadata = models.JSONField(_("metadata"), default=dict, blank=True)
    importance = models.PositiveSmallIntegerField(_("importance"), choices=Importance, default=Importance.MEDIUM)
    pinned = models.BooleanField(_("pinned"), default=False)
    enabled = models.BooleanField(_("enabled"), default=True)

    # Provenance. Conversations live a floor above: their ids are plain integers here.
    source = models.CharField(_("source"), max_length=20, choices=Source, default=Source.MANUAL)
    conversation_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    message_ids = models.JSONField(default=list, blank=True)
    quote = models.TextField(blank=True)
    extractor_model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=50, blank=True)
    job_id = models.BigIntegerField(null=True, blank=True)

    # Time: when it holds in the world, and when it was written here.
    valid_from = models.DateTimeField(_("valid from"), null=True, blank=True)
    valid_to = models.DateTimeField(_("valid to"), null=True, blank=True)
    superseded_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="supersedes")
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    updated_at = models.DateTimeField(_("updated"), default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    recall_count = models.PositiveIntegerField(default=0)

    # How often the same fact was said; its newest wording is the content.
    proof_count = models.PositiveIntegerField(default=1)
    # SHA-256 of the normalised content: finds the same text again without reading any.
    content_hash = models.CharField(max_length=64, blank=True, editable=False)
    # What sorts it by its title, see memories/titles.py.
    title_key = models.CharField(max_length=96, blank=True, default="", editable=False)
    # Names the embedder of its vector and the dimension ("e5-384"); empty: there is none yet, full text alone finds it.
    embedded_with = models.CharField(max_length=200, blank=True, default="", editable=False)
    version = models.PositiveIntegerField(default=1)
    # The version that was last looked through for what is doubtful in it.
    looked_version = models.PositiveIntegerField(default=0, editable=False)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at", "-pk"]
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        indexes = [
            models.Index(fields=["agent", "user", "-updated_at", "-id"], name="memory_panel"),
            *LIST_INDEXES,
            *TIMED_INDEXES,
            models.Index(fields=["agent", "user", "content_hash"], name="memory_same_text"),
            models.Index(fields=["deleted_at"], condition=Q(deleted_at__isnull=False), name="memory_deleted"),
            models.Index(
                fields=["superseded_by", "embedded_with"],
                condition=Q(enabled=True, deleted_at__isnull=True),
                name="memory_embedded_with",
            ),
            # All that the condition names, so that they are counted without reading a row.
            models.Index(
                fields=["user", "agent", "id", "looked_version", "version", "deleted_at"],
                condition=UNLOOKED,
                name="memory_unlooked",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.content[:60]

    @property
    def is_active(self) -> bool:
        now = timezone.now()
        has_started = self.valid_from is None or self.valid_from <= now
        has_ended = self.valid_to is not None and self.valid_to <= now
        return self.enabled and self.deleted_at is None and has_started and not has_ended

    @property
    def is_superseded(self) -> bool:
        return self.superseded_by_id is not None

    @property
    def is_findable(self) -> bool:
        """Whether the indexes hold it; whether its time has come or gone is asked at each search."""
        is_past = self.is_superseded and self.valid_to is not None and self.valid_to <= timezone.now()
        return self.enabled and self.deleted_at is None and not is_past
