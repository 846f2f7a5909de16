"""Memories that wait for their vectors, as the page of health sees them."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.health.jobs import JobSource, JobState, Scope, register
from memories.indexing import current_model
from memories.models import HealthState, Memory
from memories.models.memories import MemoryQuerySet
from xiajiao.embeddings import EmbeddingError

# The sweep comes every minute.
PATIENCE = timedelta(minutes=10)
# So many are counted; what matters then is that they are many.
MOST = 2000


def read_vectors(scope: Scope) -> JobState:
    waiting = list(find_waiting().values_list("user_id", "agent__owner_id", "updated_at")[: MOST + 1])
    moments = [moment for user_id, owner_id, moment in waiting[:MOST] if scope.covers(user_id, owner_id)]
    late = [moment for moment in moments if moment < timezone.now() - PATIENCE]
    error = HealthState.objects.values_list("vector_error", flat=True).first() if moments else ""
    is_more = bool(moments) and len(waiting) > MOST
    return JobState(len(moments), len(late), min(moments, default=None), error or "", is_more)


def find_waiting() -> MemoryQuerySet:
    try:
        return Memory.objects.unembedded(current_model())
    except EmbeddingError:
        return Memory.objects.unembedded("")


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
