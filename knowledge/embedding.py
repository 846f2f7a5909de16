"""The vectors of chunks, made behind the full text: document after document, in batches, for a while at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from knowledge.models import Chunk, Document, SemanticIndex
from knowledge.namespaces import chunk_namespace
from xiajiao.claims import ATTEMPTS, claim, end, held, is_free, is_over, record, release
from xiajiao.embeddings import BaseEmbedder, EmbeddingError, get_embedder
from xiajiao.vectorstores import get_store, vector_namespace

State = SemanticIndex.State
BATCH = 64
# After so many failures in a row a person has to try again; before, it waits a little longer each time.
MOST_FAILURES, FIRST_WAIT, LONGEST_WAIT = 8, timedelta(seconds=10), timedelta(hours=1)


def embed_next(until: float) -> bool:
    """Of the index that has waited longest; whether there may be more to do. `until` as of `time.monotonic`."""
    return embed_claimed(claim_next(), until)


def embed_one(index: SemanticIndex, until: float) -> bool:
    """Whether it was free to be worked at."""
    return embed_claimed(claim(index), until)


def embed_claimed(job: SemanticIndex | None, until: float) -> bool:
    if job is not None:
        with held(job):
            embed_index(job, until)
    return job is not None


@transaction.atomic
def claim_next() -> SemanticIndex | None:
    """None where nothing is free, or enough workers make vectors: two that ask at once don't both find room for one."""
    due = SemanticIndex.objects.due().order_by("pk")
    due.select_for_update().first()
    if is_enough_at_work():
        return None
    return next(filter(None, map(claim, due[:20])), None)


def is_enough_at_work() -> bool:
    """Whether as many workers make vectors as may: all but one."""
    claimed = SemanticIndex.objects.filter(state=State.WAITING).exclude(claim="")
    return sum(not is_free(job) for job in claimed) >= max(settings.WORKER_PROCESSES - 1, 1)


def embed_index(job: SemanticIndex, until: float) -> None:
    """Raises LostClaimError."""
    if job.attempts > ATTEMPTS:
        return end(job, State.FAILED, error="crashed")
    try:
        embedder = get_embedder(job.document.base.embedder or None)
        while chunks := find_missing(job, embedder):
            embed_chunks(job, embedder, chunks)
            if is_over(until):
                return release(job)
    except EmbeddingError as error:
        return put_off(job, error)
    return end(job, State.READY, failures=0, error="")


def find_missing(job: SemanticIndex, embedder: BaseEmbedder) -> Sequence[Chunk]:
    chunks = Chunk.objects.filter(document=job.document).exclude(embedded_with=embedder.full_name)
    return list(chunks.order_by("position", "pk")[:BATCH])


def embed_chunks(job: SemanticIndex, embedder: BaseEmbedder, chunks: Sequence[Chunk]) -> None:
    """Raises EmbeddingError and LostClaimError."""
    texts = {chunk.pk: chunk.searchable for chunk in chunks}
    vectors = dict(zip(texts, embedder.embed_passages(list(texts.values())), strict=True))
    namespace = chunk_namespace(job.document.base_id)
    with transaction.atomic():
        # First of all the document's row, as whoever writes chunks: two that wait never wait for each other.
        Document.objects.select_for_update().filter(pk=job.document_id).first()
        rows = Chunk.objects.filter(pk__in=list(texts))
        # Edited or deleted while its vector was made: it is found again, or gone.
        same = [row for row in rows if row.searchable == texts[row.pk]]
        forget_older(same, namespace, embedder)
        place = vector_namespace(namespace, embedder.full_name)
        get_store().upsert(place, {str(row.pk): vectors[row.pk] for row in same})
        Chunk.objects.filter(pk__in=[row.pk for row in same]).update(embedded_with=embedder.full_name)
        done = Chunk.objects.filter(document=job.document, embedded_with=embedder.full_name).count()
        record(job, done=done, embedder=embedder.full_name, failures=0, error="", attempts=0)


def forget_older(rows: Sequence[Chunk], namespace: str, embedder: BaseEmbedder) -> None:
    for model in {row.embedded_with for row in rows} - {"", embedder.full_name}:
        keys = [str(row.pk) for row in rows if row.embedded_with == model]
        get_store().delete(vector_namespace(namespace, model), keys)


def put_off(job: SemanticIndex, error: EmbeddingError) -> None:
    failures = job.failures + 1
    wait = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
    columns = {"failures": failures, "error": str(error)[:300], "due_at": timezone.now() + wait}
    if failures >= MOST_FAILURES:
        end(job, State.FAILED, **columns)
    else:
        release(job, **columns)
