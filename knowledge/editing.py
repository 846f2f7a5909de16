"""Chunks in a person's own words. What they change is found by the new words at once, and by its meaning soon after."""

from __future__ import annotations

from django.db import transaction

from knowledge.models import Chunk, Document, ParentChunk
from knowledge.namespaces import chunk_namespace
from knowledge.writing import ask_for_vectors, index_texts, next_position, remove_chunks
from xiajiao.texts import clean
from xiajiao.vectorstores import get_store, vector_namespace


def lock(document: Document) -> Document:
    """While it is held, no indexing writes chunks of the document."""
    return Document.objects.select_for_update().get(pk=document.pk)


class StaleChunkError(Exception):
    """Somebody else has edited it meanwhile. `current` is what it says now."""

    def __init__(self, current: str) -> None:
        super().__init__("edited meanwhile")
        self.current = current


@transaction.atomic
def edit_chunk(chunk: Chunk, text: str, seen: str | None = None) -> Chunk:
    """What it said first is kept; said again, it is no edit any more.

    `seen`: what it said when the edit began. Raises StaleChunkError where it says something else by now.
    """
    document = lock(chunk.document)
    chunk = Chunk.objects.get(pk=chunk.pk)
    text = clean(text).strip()
    if text == chunk.text:
        return chunk
    if seen is not None and clean(seen).split() != chunk.text.split():
        raise StaleChunkError(chunk.text)
    if chunk.is_added:
        ParentChunk.objects.filter(pk=chunk.parent_id).update(text=text)
        chunk.end = len(text)
    else:
        chunk.original = chunk.original if chunk.is_edited else chunk.text
        chunk.is_edited = text != chunk.original
    chunk.text = text
    return write(document, chunk)


@transaction.atomic
def undo_edit(chunk: Chunk) -> Chunk:
    document = lock(chunk.document)
    chunk = Chunk.objects.get(pk=chunk.pk)
    if not chunk.is_edited:
        return chunk
    chunk.text, chunk.is_edited = chunk.original, False
    return write(document, chunk)


@transaction.atomic
def add_chunk(document: Document, text: str, heading: str = "") -> Chunk:
    """Behind the others, with a parent that says the same; a new indexing keeps it."""
    document = lock(document)
    text = clean(text).strip()
    parent = ParentChunk.objects.create(document=document, position=next_position(document, 0), text=text)
    last = document.chunks.order_by("-position").values_list("position", flat=True).first()
    chunk = Chunk(document=document, parent=parent, text=text, is_added=True, end=len(text))
    chunk.position = 0 if last is None else last + 1
    chunk.heading_path = [clean(heading)] if heading else []
    return write(document, chunk)


@transaction.atomic
def remove_added(chunk: Chunk) -> None:
    """One that a person wrote; what was cut from the file can only be switched off."""
    document = lock(chunk.document)
    remove_chunks(document, [chunk])
    ParentChunk.objects.filter(pk=chunk.parent_id, chunks__isnull=True).delete()
    recount(document)
    ask_for_vectors(document)


def set_chunk_enabled(chunk: Chunk, enabled: bool) -> None:
    Chunk.objects.filter(pk=chunk.pk).update(enabled=enabled)


def write(document: Document, chunk: Chunk) -> Chunk:
    """Row, full text and the vector still to make, together."""
    if chunk.embedded_with:
        place = vector_namespace(chunk_namespace(document.base_id), chunk.embedded_with)
        get_store().delete(place, [str(chunk.pk)])
    chunk.embedded_with = ""
    chunk.document = document
    chunk.save()
    index_texts(document, [chunk])
    recount(document)
    ask_for_vectors(document)
    return chunk


def recount(document: Document) -> None:
    count = document.chunks.count()
    # Ready means that a search finds something.
    state = {} if count or document.state != Document.State.READY else {"state": Document.State.EMPTY}
    Document.objects.filter(pk=document.pk).update(chunk_count=count, **state)
