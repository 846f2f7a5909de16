"""Originals of documents under the data folder."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction

from knowledge.models import Document
from xiajiao.storage import find_path, make_path


def new_file() -> Path:
    return make_path(settings.DOCUMENTS_DIR)


def file_of(document: Document) -> Path:
    """Raises FileNotFoundError where none was kept."""
    return find_path(settings.DOCUMENTS_DIR, document.stored_as)


def discard_file(document: Document) -> None:
    """When the transaction holds."""
    with suppress(FileNotFoundError):
        transaction.on_commit(partial(file_of(document).unlink, missing_ok=True))
