"""The first chunks of a document, batch by batch, so that nobody who writes waits long for the database: until the last
of them stands, the document counts none, and no search finds any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db import transaction

from knowledge.chunking import Parent
from knowledge.models import Chunk, Document, ParentChunk
from knowledge.writing import index_texts, new_chunk, put, remove_chunks
from xiajiao.claims import record

# Chunks in a transaction.
AT_ONCE = 200
OnProgress = Callable[[int, int], None]


def fill(job: Document, parents: Sequence[Parent], terms: Mapping[str, str], on_progress: OnProgress) -> int:
    """How many there are now. `on_progress(done, total)` is called in each transaction: what it raises ends it."""
    total = sum(len(parent.pieces) for parent in parents)
    clear(job)
    done = 0
    for first, group in group_parents(parents):
        with transaction.atomic():
            on_progress(done, total)
            chunks = make_chunks(job, group, first, done)
            index_texts(job, chunks, terms)
        done += len(chunks)
    return done


def clear(job: Document) -> None:
    """What a worker that was killed or stopped had written of a document that counts none; not what a person wrote.

    Raises LostClaimError.
    """
    halves = job.chunks.select_related(None).filter(is_added=False, is_edited=False).order_by("-position")
    while not job.chunk_count and (chunks := list(halves[:AT_ONCE])):
        with transaction.atomic():
            record(job)
            remove_chunks(job, chunks)
            job.parents.filter(chunks__isnull=True).delete()


def group_parents(parents: Sequence[Parent]) -> Iterator[tuple[int, list[Parent]]]:
    """With the place of the first."""
    group: list[Parent] = []
    held = first = 0
    for place, parent in enumerate(parents):
        group.append(parent)
        held += len(parent.pieces)
        if held >= AT_ONCE:
            yield first, group
            group, held, first = [], 0, place + 1
    if group:
        yield first, group


def make_chunks(document: Document, parents: Sequence[Parent], first_parent: int, first: int) -> list[Chunk]:
    """At these places, and behind them."""
    rows = [
        ParentChunk(document=document, position=position, text=parent.text)
        for position, parent in enumerate(parents, first_parent)
    ]
    chunks: list[Chunk] = []
    for parent, row in zip(parents, ParentChunk.objects.bulk_create(rows), strict=True):
        for piece in parent.pieces:
            chunk = new_chunk(document, piece)
            put(chunk, piece, row, first + len(chunks))
            chunks.append(chunk)
    return Chunk.objects.bulk_create(chunks)
