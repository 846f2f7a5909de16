"""Files become chunks that a search finds, once, and what a person did to them stays."""

from __future__ import annotations

import pytest

from knowledge.chunking import chunk
from knowledge.indexing import cut_of
from knowledge.models import Chunk, Document, ParentChunk, SemanticIndex
from knowledge.namespaces import chunk_namespace
from knowledge.parsing import parse
from knowledge.storage import file_of
from knowledge.writing import read_terms, write_chunks
from tests.knowledge.documents import embed_all, index_again, index_now, make_base, make_document
from xiajiao import fulltext
from xiajiao.embeddings import get_embedder
from xiajiao.vectorstores import get_store, vector_namespace

pytestmark = pytest.mark.django_db

TEXT = "\n\n".join(
    f"# Chapter {number}\n\n" + f"Dish number {number} is made of rice and of tea. " * 12 for number in range(6)
)


def find(document: Document, words: str) -> list[Chunk]:
    hits = fulltext.search([chunk_namespace(document.base_id)], words, 5)
    return [Chunk.objects.get(pk=hit.key) for hit in hits]


def test_a_file_becomes_chunks_that_are_found_by_words_before_there_is_a_vector() -> None:
    document = index_now(make_document(make_base(), TEXT))
    assert (document.state, document.chunk_count, document.reason) == ("ready", Chunk.objects.count(), "")
    assert document.chunk_count > 6
    assert find(document, "chapter 3")[0].heading_path == ["Chapter 3"]
    waiting = document.semantic_index
    assert (waiting.state, waiting.done, waiting.total) == ("waiting", 0, document.chunk_count)

    embed_all()
    done = SemanticIndex.objects.get()
    assert (done.state, done.done, done.error) == ("ready", document.chunk_count, "")
    place = vector_namespace(chunk_namespace(document.base_id), get_embedder().full_name)
    assert get_store().keys(place) == {str(pk) for pk in Chunk.objects.values_list("pk", flat=True)}


def test_it_waits_for_the_database_with_its_terms_read() -> None:
    """Who writes keeps others from writing: nothing that can be worked out before is worked out then."""
    document = make_document(make_base(), TEXT)
    parents = chunk(parse(file_of(document), document.name).sections, cut_of(document.base))
    terms = read_terms(document, parents)
    write_chunks(document, parents, terms)
    assert terms.keys() == {each.searchable for each in document.chunks.all()}
    assert find(document, "chapter 3")[0].heading_path == ["Chapter 3"]
    assert read_terms(document, parents) == {}


def test_indexing_again_changes_nothing() -> None:
    document = index_now(make_document(make_base(), TEXT))
    embed_all()
    before = list(Chunk.objects.values("pk", "text", "position", "start", "end", "embedded_with"))
    document = index_again(document)
    assert document.state == "ready"
    assert list(Chunk.objects.values("pk", "text", "position", "start", "end", "embedded_with")) == before
    assert ParentChunk.objects.filter(chunks=None).count() == 0
    for each in Chunk.objects.select_related("parent"):
        assert each.parent.text[each.start : each.end] == each.text


def test_a_new_text_keeps_the_chunks_that_stayed_and_removes_the_others_from_the_indexes() -> None:
    document = index_now(make_document(make_base(), TEXT))
    embed_all()
    kept = {chunk for chunk in find(document, "chapter 5") if chunk.heading_path == ["Chapter 5"]}
    gone = find(document, "chapter 0")[0]
    assert kept
    other = make_document(document.base, TEXT.replace("Chapter 0", "Preface"), "other.md")
    document = index_again_with(document, other)
    assert kept <= set(document.chunks.all())
    assert not Chunk.objects.filter(pk=gone.pk).exists()
    namespace = chunk_namespace(document.base_id)
    keys = {str(pk) for pk in Chunk.objects.values_list("pk", flat=True)}
    assert fulltext.list_keys(namespace) == keys
    embed_all()
    assert get_store().keys(vector_namespace(namespace, get_embedder().full_name)) == keys


def index_again_with(document: Document, other: Document) -> Document:
    Document.objects.filter(pk=document.pk).update(stored_as=other.stored_as)
    other.delete()
    return index_again(document)


def test_a_persons_own_words_stay_where_they_were() -> None:
    document = index_now(make_document(make_base(), TEXT))
    edited = find(document, "chapter 2")[0]
    place = (edited.position, edited.heading_path)
    Chunk.objects.filter(pk=edited.pk).update(text="My own words", original=edited.text, is_edited=True)
    index_again(document)
    edited.refresh_from_db()
    assert (edited.text, edited.position, edited.heading_path) == ("My own words", *place)

    rewritten = make_document(document.base, "# Something else\n\nNothing of it is left.", "other.md")
    document = index_again_with(document, rewritten)
    edited.refresh_from_db()
    assert edited.text == edited.parent.text == "My own words"
    assert document.warnings == [{"oddity": "edits_without_place", "detail": "1"}]
    assert document.chunk_count == 2


@pytest.mark.parametrize(
    ("content", "state", "reason"), [(b"", "empty", "empty"), (b"\x00\x01\x02" * 99, "failed", "unsupported")]
)
def test_what_cannot_be_read_says_why(content: bytes, state: str, reason: str) -> None:
    document = index_now(make_document(make_base(), content, "data.bin"))
    assert (document.state, document.reason, document.chunk_count) == (state, reason, 0)


def test_a_file_that_is_gone_says_so() -> None:
    document = index_now(make_document(make_base(), "text", stored_as="0" * 32))
    assert (document.state, document.reason) == ("failed", "gone")
