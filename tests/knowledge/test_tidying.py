"""What goes leaves nothing behind: not in the indexes, not on the disk."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.conf import settings

from knowledge import tasks
from tests.factories import make_user
from tests.knowledge.documents import embed_all, index_now, make_base, make_document
from xiajiao.models import IndexedText, StoredVector
from xiajiao.storage import list_files

pytestmark = pytest.mark.django_db


def test_a_person_who_is_deleted_leaves_nothing_of_their_documents(
    django_capture_on_commit_callbacks: Any,
) -> None:
    person = make_user()
    gone = index_now(make_document(make_base(owner=person), "Bees live in the garden.", "bees.txt"))
    kept = index_now(make_document(make_base(owner=make_user()), "Cats live in the house.", "cats.txt"))
    embed_all()
    with django_capture_on_commit_callbacks(execute=True):
        person.delete()

    key = str(kept.chunks.get().pk)
    assert [text.key for text in IndexedText.objects.all()] == [key]
    assert [vector.key for vector in StoredVector.objects.all() if vector.vector] == [key]
    names = {path.name for path in list_files(settings.DOCUMENTS_DIR)}
    assert kept.stored_as in names
    assert gone.stored_as not in names


def test_files_without_a_document_are_removed_when_they_are_old() -> None:
    document = index_now(make_document(make_base(), "Bees live in the garden.", "bees.txt"))
    old, new = settings.DOCUMENTS_DIR / ("a" * 32), settings.DOCUMENTS_DIR / ("b" * 32)
    for path in (old, new):
        path.write_bytes(b"x")
    for path in (old, settings.DOCUMENTS_DIR / document.stored_as):
        os.utime(path, (0, 0))
    tasks.tidy_files()
    names = {path.name for path in list_files(settings.DOCUMENTS_DIR)}
    assert {document.stored_as, new.name} <= names
    assert old.name not in names
