"""What a person does to a document: again, stop, off, away and back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from knowledge.models import Document, DocumentTag, KnowledgeBase, SemanticIndex
from knowledge.models.documents import DocumentQuerySet
from knowledge.storage import discard_file
from knowledge.writing import remove_chunks
from xiajiao.claims import claim, end, held
from xiajiao.texts import clip

State = Document.State
# In which a deletion can be taken back.
GRACE = timedelta(minutes=10)
# A job that nobody has begun, or that was taken from whoever was at it.
FRESH: dict[str, Any] = {"claim": "", "attempts": 0, "heartbeat": None, "is_cancelled": False, "finished_at": None}
AGAIN = FRESH | {"state": State.QUEUED, "reason": "", "stage": "", "done": 0, "total": 0}
LONGEST_TAG, MOST_TAGS = 50, 20


def requeue(document: Document, **columns: Any) -> Document:
    """Read it once more, from the start, whoever was at it; what was found before serves meanwhile."""
    Document.objects.filter(pk=document.pk).update(**AGAIN | columns)
    document.refresh_from_db()
    return document


def requeue_all(documents: DocumentQuerySet) -> list[int]:
    """The keys of those that are due now."""
    keys = list(documents.values_list("pk", flat=True))
    documents.update(**AGAIN)
    return keys


def give_up_all(documents: DocumentQuerySet) -> None:
    """Whoever is at one of them stops; each can be retried."""
    documents.update(**FRESH | {"state": State.CANCELLED, "finished_at": timezone.now()})


def retry_vectors(documents: Iterable[Document] | DocumentQuerySet) -> None:
    """Of those whose embedder failed too often, or is waited for."""
    again = {**FRESH, "state": SemanticIndex.State.WAITING, "failures": 0, "error": "", "due_at": None}
    unready = SemanticIndex.objects.exclude(state=SemanticIndex.State.READY)
    unready.filter(document__in=documents).update(**again)


def embed_again(base: KnowledgeBase) -> None:
    """All of the base, by the embedder that it has now."""
    again = {**FRESH, "state": SemanticIndex.State.WAITING, "done": 0, "failures": 0, "error": "", "due_at": None}
    SemanticIndex.objects.filter(document__base=base).update(**again)


def cancel(document: Document) -> None:
    """At once where nobody is at it; else whoever is stops within seconds."""
    Document.objects.filter(pk=document.pk, state__in=Document.WORKED_AT).update(is_cancelled=True, wants_fetch=False)
    job = claim(document)
    if job is not None:
        with held(job):
            end(job, State.CANCELLED)


def set_enabled(document: Document, enabled: bool) -> None:
    Document.objects.filter(pk=document.pk).update(enabled=enabled)


@transaction.atomic
def set_tags(document: Document, tags: Iterable[str]) -> None:
    wanted = list(dict.fromkeys(clip(tag, LONGEST_TAG) for tag in tags if tag))[:MOST_TAGS]
    document.tags.exclude(tag__in=wanted).delete()
    DocumentTag.objects.bulk_create([DocumentTag(document=document, tag=tag) for tag in wanted], ignore_conflicts=True)


def delete(document: Document) -> None:
    """No search finds it from now on; for a while it can be brought back. Whoever reads it stops."""
    rows = Document.objects.filter(pk=document.pk, deleted_at__isnull=True)
    rows.update(deleted_at=timezone.now(), claim="")


def restore(document: Document, free_id: str) -> None:
    """`free_id`: one that no document of the base has by now."""
    Document.objects.filter(pk=document.pk).update(deleted_at=None, doc_id=free_id)


def purge_deleted() -> None:
    """For good, with chunks, vectors and file."""
    over = timezone.now() - GRACE
    for document in Document.objects.filter(deleted_at__lt=over).order_by("pk")[:100]:
        purge(document)


@transaction.atomic
def purge(document: Document) -> None:
    if not Document.objects.select_for_update().filter(pk=document.pk, deleted_at__isnull=False).exists():
        return  # brought back, or purged by another sweep
    remove_chunks(document, list(document.chunks.all()))
    discard_file(document)
    document.delete()
