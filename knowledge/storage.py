"""Originals of documents under the data folder."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction

from knowledge.models import Document
from xiajiao.storage import find_path, make_path, remove_old

# How long a file may lie there before its row does.
AGE_OF_STRAYS = timedelta(days=1)


def new_file() -> Path:
    return make_path(settings.DOCUMENTS_DIR)


def file_of(document: Document) -> Path:
    """Raises FileNotFoundError where none was kept."""
    return find_path(settings.DOCUMENTS_DIR, document.stored_as)


def discard_file(document: Document) -> None:
    """When the transaction holds."""
    with suppress(FileNotFoundError):
        transaction.on_commit(partial(file_of(document).unlink, missing_ok=True))


def remove_strays() -> int:
    """Files whose row is gone or never came: a person who was deleted, an upload that ended half-way."""
    known = set(Document.objects.exclude(stored_as="").values_list("stored_as", flat=True))
    return remove_old(settings.DOCUMENTS_DIR, AGE_OF_STRAYS, known)
