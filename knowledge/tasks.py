"""Reading files and making vectors in the background: each task does a bounded piece of work and may run twice."""

from __future__ import annotations

import logging
import time

from celery import shared_task
from kombu.exceptions import OperationalError

from knowledge.changing import purge_deleted
from knowledge.embedding import embed_next, is_enough_at_work
from knowledge.indexing import index
from knowledge.models import Document, SemanticIndex
from knowledge.storage import remove_strays
from xiajiao.claims import find_abandoned

logger = logging.getLogger(__name__)

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
    while not is_enough_at_work() and time.monotonic() < until and embed_next(until):
        pass
    if SemanticIndex.objects.due().exists() and not is_enough_at_work():
        nudge_embedding()


@shared_task
def sweep_documents() -> None:
    """Carry on with what a lost message or a stopped worker left, and be rid of what was deleted."""
    purge_deleted()
    for document_id in find_abandoned(Document):
        index_document(document_id)
    if SemanticIndex.objects.due().exists():
        embed_waiting()


@shared_task
def tidy_files() -> None:
    """Those that no document has."""
    remove_strays()


def nudge_indexing(document_id: int) -> None:
    """Where the broker is down, the sweep finds it."""
    try:
        index_document.apply_async([document_id], retry=False)
    except OperationalError as error:
        logger.warning("Document %s waits for the sweep, the broker failed: %s", document_id, error)


def nudge_embedding() -> None:
    try:
        embed_waiting.apply_async(retry=False)
    except OperationalError as error:
        logger.warning("Vectors wait for the sweep, the broker failed: %s", error)
