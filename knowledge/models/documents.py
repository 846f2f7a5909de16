from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from knowledge.models.bases import KnowledgeBase
from xiajiao.models import ClaimedJob, User


class DocumentQuerySet(models.QuerySet["Document"]):
    def for_user(self, user: User) -> DocumentQuerySet:
        return self.filter(base__in=KnowledgeBase.objects.for_user(user))

    def editable_by(self, user: User) -> DocumentQuerySet:
        return self.filter(base__in=KnowledgeBase.objects.editable_by(user))

    def kept(self) -> DocumentQuerySet:
        return self.filter(deleted_at__isnull=True)

    def searched(self) -> DocumentQuerySet:
        """Of which a search may find chunks: those of an earlier indexing serve while a new one is made."""
        return self.kept().filter(enabled=True, chunk_count__gt=0)


class Document(ClaimedJob):
    """A file or web page, and how far its indexing is. Ready means that a search finds at least one chunk of it.

    The vectors follow behind (SemanticIndex), and their failure takes ready away from no document.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        PARSING = "parsing", _("being read")
        READY = "ready", _("ready")
        EMPTY = "empty", _("empty")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    WORKED_AT = (State.QUEUED, State.PARSING)

    base = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="documents")
    # What an agent or a command calls it; unique in its base.
    doc_id = models.CharField(max_length=200)
    # As it was uploaded; names no path.
    name = models.CharField(max_length=500)
    url = models.URLField(max_length=2000, blank=True)
    # Of a web page: fetch it before it is read, though there is what was fetched before.
    wants_fetch = models.BooleanField(default=False)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    # A name of our own under the data folder.
    stored_as = models.CharField(max_length=32, blank=True)
    size = models.BigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    media_type = models.CharField(max_length=100, blank=True)
    enabled = models.BooleanField(default=True)
    # What it was read in; a guess is shown, and the person's own choice is `wanted_encoding`.
    encoding = models.CharField(max_length=40, blank=True)
    encoding_is_guess = models.BooleanField(default=False)
    wanted_encoding = models.CharField(max_length=40, blank=True)

    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    # Codes that knowledge/parsing words, with what to do next.
    reason = models.CharField(max_length=40, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    # Pages, rows or chunks that are done, of so many; 0 of 0: not known yet.
    stage = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    chunk_count = models.PositiveIntegerField(default=0)
    indexed_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["base", "doc_id"], condition=Q(deleted_at__isnull=True), name="one_document_an_id"
            ),
            models.CheckConstraint(condition=~Q(state="ready") | Q(chunk_count__gt=0), name="ready_means_searchable"),
        ]
        indexes = [
            models.Index(fields=["base", "-id"], name="document_base"),
            models.Index(fields=["base", "sha256"], name="document_content"),
            models.Index(fields=["state"], condition=Q(state__in=["queued", "parsing"]), name="document_due"),
        ]

    def __str__(self) -> str:
        return self.name


class DocumentTag(models.Model):
    document = models.ForeignKey(Document, models.CASCADE, related_name="tags")
    tag = models.CharField(max_length=50)

    class Meta:
        ordering = ["tag"]
        constraints = [models.UniqueConstraint(fields=["document", "tag"], name="one_tag_a_document")]
        indexes = [models.Index(fields=["tag", "document"], name="document_tag")]
