"""Reading files and making vectors in the background: each task does a bounded piece of work and may run twice."""

from __future__ import annotations

import time

from celery import shared_task

from knowledge.changing import purge_deleted
from knowledge.embedding import embed_next, is_enough_at_work
from knowledge.indexing import index
from knowledge.models import Document, SemanticIndex
from knowledge.storage import remove_strays
from xiajiao.claims import find_abandoned
from xiajiao.nudging import nudge

# Seconds, after which others have their turn.
A_WHILE = 60.0


@shared_task
def index_document(document_id: int) -> None:
    document = Document.objects.kept().filter(pk=document_id).first()
    if document is not None:
        for member in index(document):
            nudge_indexing(member)
        nudge_embedding()


@shared_task
def embed_waiting() -> None:
    """Never in all workers at once: what people wait for goes on beside it."""
    until = time.monotonic() + A_WHILE
    is_more = True
    while is_more and time.monotonic() < until and not is_enough_at_work():
        is_more = embed_next(until)
    if is_more and not is_enough_at_work():
        nudge_embedding()


@shared_task
def sweep_documents() -> None:
    """Carry on with what a lost message or a stopped worker left, and be rid of what was deleted."""
    purge_deleted()
    until = time.monotonic() + A_WHILE
    for document_id in find_abandoned(Document):
        if time.monotonic() < until:
            index_document(document_id)
    if SemanticIndex.objects.due().exists():
        embed_waiting()


@shared_task
def tidy_files() -> None:
    """Those that no document has."""
    remove_strays()


def nudge_indexing(document_id: int) -> None:
    nudge(index_document, document_id)


def nudge_embedding() -> None:
    nudge(embed_waiting)
