"""A long document is written bit by bit: nobody waits long for the database, and nobody finds half of it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from knowledge import filling
from knowledge.chunking import chunk
from knowledge.filling import fill
from knowledge.indexing import cut_of, index
from knowledge.models import Chunk, Document, ParentChunk
from knowledge.namespaces import chunk_namespace
from knowledge.parsing import parse
from knowledge.search import search_chunks
from knowledge.storage import file_of
from tests.knowledge.documents import index_now, make_base, make_document
from xiajiao import fulltext
from xiajiao.claims import claim

pytestmark = pytest.mark.django_db
TEXT = "\n\n".join(
    f"# Chapter {number}\n\n" + f"Dish {number} is made of rice and of tea. " * 12 for number in range(6)
)


class BrokenOffError(Exception):
    pass


@pytest.fixture
def half(monkeypatch: pytest.MonkeyPatch) -> Document:
    """A document whose worker broke off after three chunks or so."""
    monkeypatch.setattr(filling, "AT_ONCE", 3)
    document = make_document(make_base(), TEXT)
    job = claim(document)
    assert job is not None

    def break_off(done: int, _total: int) -> None:
        if done:
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        fill(job, chunk(parse(file_of(job), job.name).sections, cut_of(job.base)), {}, break_off)
    Document.objects.update(heartbeat=timezone.now() - Document.SILENCE * 2)
    return document


def test_nothing_of_a_half_is_found_and_the_next_worker_makes_it_whole(half: Document) -> None:
    assert 0 < half.chunks.count() < 18
    assert search_chunks([half.base], "rice and tea", 5).found == []

    document = index_now(half)
    whole = index_now(make_document(half.base, TEXT, "other.md"))
    values = ("position", "text", "parent__position", "parent__text", "start", "end")
    assert list(document.chunks.values_list(*values)) == list(whole.chunks.values_list(*values))
    assert (document.state, document.chunk_count) == ("ready", document.chunks.count())
    assert not ParentChunk.objects.filter(chunks=None).exists()
    keys = {str(pk) for pk in Chunk.objects.values_list("pk", flat=True)}
    assert fulltext.list_keys(chunk_namespace(half.base_id)) == keys


def test_a_half_that_is_cancelled_leaves_nothing(half: Document) -> None:
    Document.objects.update(is_cancelled=True)
    index(half)
    half.refresh_from_db()
    assert (half.state, half.chunks.count(), half.parents.count()) == ("cancelled", 0, 0)
    assert fulltext.list_keys(chunk_namespace(half.base_id)) == set()
