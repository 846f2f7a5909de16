"""Memories that wait for their vectors, as the page of health sees them."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.health.jobs import JobSource, JobState, Scope, register
from memories.indexing import current_model
from memories.models import HealthState, Memory
from memories.models.memories import MemoryQuerySet
from xiajiao.embeddings import EmbeddingError

# The sweep comes every minute.
PATIENCE = timedelta(minutes=10)


def read_vectors(scope: Scope) -> JobState:
    moments = [moment for _pk, moment in find_waiting(scope).values_list("pk", "updated_at")]
    late = [moment for moment in moments if moment < timezone.now() - PATIENCE]
    error = HealthState.objects.values_list("vector_error", flat=True).first() if moments else ""
    return JobState(len(moments), len(late), min(moments, default=None), error or "")


def find_waiting(scope: Scope) -> MemoryQuerySet:
    rows = Memory.objects.all()
    if not (scope.everybody and scope.user.is_staff):
        rows = rows.filter(Q(user=scope.user) | Q(user__isnull=True, agent__owner=scope.user))
    try:
        return rows.unembedded(current_model())
    except EmbeddingError:
        return rows.unembedded("")


register(
    JobSource(
        "vectors",
        _("Vectors"),
        _("Memories that are found by their words alone until the embedding model has read them."),
        read_vectors,
        lambda _scope: None,
        "memories.tasks.embed_missing",
    )
)
