"""A document's page: its chunks, a passage that is cited, edits; the preview and the test of the search."""

from __future__ import annotations

import pytest
from django.test import Client

from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.search import search_chunks
from tests.knowledge.documents import embed_all, index_again, index_now, make_base, make_document
from xiajiao.models import User

pytestmark = pytest.mark.django_db

TEXT = "\n\n".join(f"# Dish {number}\n\n" + f"Dish number {number} is steamed. " * 10 for number in range(70))


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    return make_base(owner=user)


@pytest.fixture
def document(base: KnowledgeBase) -> Document:
    return index_now(make_document(base, TEXT, "dishes.md"))


def found(base: KnowledgeBase, words: str) -> list[Chunk]:
    return [each.chunk for each in search_chunks([base], words, 5).found]


def test_a_citation_marks_its_passage_in_the_text_around_it(signed_in: Client, document: Document) -> None:
    chunk = document.chunks.filter(text__contains="number 65").first()
    assert chunk is not None
    page = signed_in.get(f"/knowledge/documents/{document.pk}/?chunk={chunk.pk}")
    passage = page.context["passage"]
    assert passage.marked == chunk.text
    assert passage.before + passage.marked + passage.after == chunk.parent.text
    assert f"<mark data-marked>{chunk.text}</mark>" in page.content.decode()
    assert f'id="chunk-{chunk.pk}"' in page.content.decode()


def test_a_citation_of_a_chunk_that_is_gone_says_so(signed_in: Client, document: Document) -> None:
    page = signed_in.get(f"/knowledge/documents/{document.pk}/?chunk=999999").content.decode()
    assert "no longer in this document" in page


def test_chunks_are_turned_page_by_page(signed_in: Client, document: Document) -> None:
    first = signed_in.get(f"/knowledge/documents/{document.pk}/").context
    assert (len(first["chunks"]), first["previous"], first["next"]) == (50, None, 50)
    second = signed_in.get(f"/knowledge/documents/{document.pk}/?from=50").context
    assert (second["chunks"][0].position, second["previous"]) == (50, 0)


def test_an_edited_chunk_is_found_by_its_new_words_and_its_original_comes_back(
    signed_in: Client, base: KnowledgeBase, document: Document
) -> None:
    embed_all()
    chunk = document.chunks.all()[0]
    said = chunk.text
    saved = signed_in.post(f"/knowledge/chunks/{chunk.pk}/edit/", {"text": "Kumquats are candied."})
    assert saved["Location"].endswith(f"#chunk-{chunk.pk}")
    chunk.refresh_from_db()
    assert (chunk.is_edited, chunk.original, chunk.embedded_with) == (True, said, "")
    assert found(base, "kumquats candied")[0] == chunk
    embed_all()
    chunk.refresh_from_db()
    assert chunk.embedded_with
    assert "What the file says" in signed_in.get(f"/knowledge/documents/{document.pk}/").content.decode()

    index_again(document)
    chunk.refresh_from_db()
    assert chunk.text == "Kumquats are candied."
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/undo/")
    chunk.refresh_from_db()
    assert (chunk.text, chunk.is_edited) == (said, False)
    assert not [each for each in found(base, "candied") if "candied" in each.text]


def test_a_chunk_with_nothing_in_it_is_refused(signed_in: Client, document: Document) -> None:
    chunk = document.chunks.all()[0]
    for url in (f"/knowledge/chunks/{chunk.pk}/edit/", f"/knowledge/documents/{document.pk}/chunks/add/"):
        for text in (" \0 ", "\u200b", "--- !!!"):
            answer = signed_in.post(url, {"text": text}, headers={"HX-Request": "true"})
            assert answer.status_code == 422


def test_a_chunk_is_added_by_hand_and_stays_when_the_file_is_read_again(
    signed_in: Client, base: KnowledgeBase, document: Document
) -> None:
    count = document.chunk_count
    url = f"/knowledge/documents/{document.pk}/chunks/add/"
    signed_in.post(url, {"heading": "Hours", "text": "The kitchen closes at nine."})
    chunk = Chunk.objects.get(is_added=True)
    assert found(base, "kitchen closes")[0] == chunk
    index_again(document)
    document.refresh_from_db()
    assert document.chunk_count == count + 1
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/delete/")
    document.refresh_from_db()
    assert (document.chunk_count, Chunk.objects.filter(is_added=True).exists()) == (count, False)


def test_a_part_of_the_file_is_switched_off_and_not_deleted(
    signed_in: Client, base: KnowledgeBase, document: Document
) -> None:
    chunk = found(base, "dish number 3")[0]
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/delete/")
    assert Chunk.objects.filter(pk=chunk.pk).exists()
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/switch/", {"to": "off"})
    assert chunk not in found(base, "dish number 3")


def test_a_preview_cuts_as_the_form_says_and_writes_nothing(
    signed_in: Client, base: KnowledgeBase, document: Document
) -> None:
    count = Chunk.objects.count()
    url = f"/knowledge/{base.pk}/preview/?document={document.pk}&chunk_overlap=0&parent_size=1000&separators="
    small = signed_in.get(f"{url}&chunk_size=64").context["preview"]
    large = signed_in.get(f"{url}&chunk_size=512").context["preview"]
    assert small.count > large.count
    assert small.largest <= 64
    assert Chunk.objects.count() == count
    assert signed_in.get(f"{url}&chunk_size=7").context["form"].errors
    other = make_document(make_base(), "secret")
    assert signed_in.get(f"{url}&chunk_size=64&document={other.pk}").context["document"] is None


def test_the_test_of_the_search_shows_the_evidence(signed_in: Client, base: KnowledgeBase, document: Document) -> None:
    embed_all()
    page = signed_in.get(f"/knowledge/{base.pk}/test/?q=dish+number+42&top_k=3")
    best = page.context["findings"].found[0]
    assert "number 42" in best.chunk.text
    assert best.hit.lexical_rank
    assert best.hit.dense_rank
    assert f"?chunk={best.chunk.pk}" in page.content.decode()


def test_why_a_chunk_was_not_found(signed_in: Client, base: KnowledgeBase, document: Document) -> None:
    chunk = document.chunks.filter(text__contains="number 42").first()
    assert chunk is not None
    url = f"/knowledge/{base.pk}/test/?q=noodle+soup&expected=%23{chunk.pk}"
    [absence] = signed_in.get(url).context["absences"]
    assert {"no_vector", "no_word", "under_floor"} == set(absence.obstacles)
    assert "soup" in absence.missing
    embed_all()
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/switch/", {"to": "off"})
    page = signed_in.get(f"/knowledge/{base.pk}/test/?q=dish+number+42&expected=number+42")
    absence = next(each for each in page.context["absences"] if each.chunk == chunk)
    assert (absence.obstacles, absence.rank) == (["chunk_off"], None)
    assert "The chunk is switched off." in page.content.decode()
    assert not signed_in.get(f"/knowledge/{base.pk}/test/?q=x&expected=nowhere").context["absences"]


def test_an_edit_that_came_first_is_shown_and_nothing_typed_is_lost(signed_in: Client, document: Document) -> None:
    chunk = document.chunks.all()[3]
    page = signed_in.get(f"/knowledge/chunks/{chunk.pk}/edit/")
    seen = page.context["form"]["seen"].value()
    assert seen == chunk.text
    signed_in.post(f"/knowledge/chunks/{chunk.pk}/edit/", {"text": "Words of another tab.", "seen": seen})
    late = signed_in.post(f"/knowledge/chunks/{chunk.pk}/edit/", {"text": "My own words.", "seen": seen})
    chunk.refresh_from_db()
    assert (late.status_code, chunk.text) == (409, "Words of another tab.")
    assert "My own words." in late.text
    again = signed_in.post(f"/knowledge/chunks/{chunk.pk}/edit/", {"text": "My own words.", "seen": chunk.text})
    chunk.refresh_from_db()
    assert (again.status_code, chunk.text) == (302, "My own words.")
    assert 'value="Words of another tab."' in late.text
