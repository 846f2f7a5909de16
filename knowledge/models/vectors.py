from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.models.documents import Document
from xiajiao.models import ClaimedJob


class SemanticIndexQuerySet(models.QuerySet["SemanticIndex"]):
    def due(self) -> SemanticIndexQuerySet:
        """Those that a worker may take up now, the oldest first."""
        now = timezone.now()
        return self.filter(state=SemanticIndex.State.WAITING, document__deleted_at__isnull=True).filter(
            Q(due_at__isnull=True) | Q(due_at__lte=now)
        )


class SemanticIndex(ClaimedJob):
    """The vectors of a document's chunks, and how far they are: behind the full text, which serves meanwhile."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    WORKED_AT = (State.WAITING,)

    document = models.OneToOneField(Document, models.CASCADE, related_name="semantic_index")
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    # The full name of the embedder; of an older one's vectors nothing is left when it is ready.
    embedder = models.CharField(max_length=200, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    # The embedder's own words; after an error it waits until then.
    error = models.CharField(max_length=300, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)

    objects = SemanticIndexQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "due_at"], name="semantic_index_due")]
