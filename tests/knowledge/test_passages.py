"""The text around a chunk says what its neighbours say now, whoever edited them or switched them off."""

from __future__ import annotations

import pytest

from knowledge import editing
from knowledge.models import Chunk, Document
from knowledge.passages import read_passage
from tests.knowledge.documents import index_now, make_base, make_document

pytestmark = pytest.mark.django_db

TEXT = "\n\n".join(
    f"Dish {number} costs {number}0 yuan and is steamed in its own basket until noon." for number in range(9)
)


@pytest.fixture
def document() -> Document:
    return index_now(make_document(make_base(chunk_size=32, chunk_overlap=0), TEXT, "dishes.txt"))


def about(document: Document, number: int) -> Chunk:
    return document.chunks.select_related("parent").get(text__contains=f"Dish {number} ")


def test_an_edited_chunk_is_read_in_its_own_words_through_its_neighbour(document: Document) -> None:
    editing.edit_chunk(about(document, 4), "Dish 4 is no longer sold.")
    for number in (3, 5):
        passage = read_passage(about(document, number))
        assert passage.text.count("Dish 4") == 1
        assert "Dish 4 is no longer sold." in passage.text
    own = read_passage(about(document, 4))
    assert own.marked == "Dish 4 is no longer sold."
    assert "Dish 3 costs" in own.before
    assert "Dish 5 costs" in own.after


def test_a_chunk_that_is_switched_off_is_not_read_through_its_neighbours(document: Document) -> None:
    editing.set_chunk_enabled(about(document, 4), enabled=False)
    editing.set_chunk_enabled(about(document, 5), enabled=False)
    assert read_passage(about(document, 3)).text == TEXT.replace(
        f"{about(document, 4).text}\n\n{about(document, 5).text}\n\n", ""
    )
    assert "Dish 5" not in read_passage(about(document, 8)).text


def test_overlapping_chunks_are_read_once() -> None:
    sentences = " ".join(f"Sentence {number} tells of tea." for number in range(40))
    document = index_now(make_document(make_base(chunk_size=64, chunk_overlap=24), sentences, "tea.txt"))
    first, second, *others = document.chunks.select_related("parent")
    assert second.start < first.end
    editing.edit_chunk(others[-1], "The end.")
    passage = read_passage(first)
    assert passage.text.startswith(document.parents.get().text[: others[-2].end])
    assert passage.text.endswith("The end.")


def test_a_long_text_is_clipped_around_the_chunk(document: Document) -> None:
    chunk = about(document, 4)
    passage = read_passage(chunk)
    clipped = passage.clip(len(chunk.text) + 100)
    assert (clipped.marked, len(clipped.before), len(clipped.after)) == (chunk.text, 50, 50)
    assert passage.text.find(clipped.text) > 0
    assert passage.clip(10).text == chunk.text[:10]
    first = read_passage(about(document, 0)).clip(len(about(document, 0).text) + 100)
    assert (first.before, len(first.after)) == ("", 100)
