"""Chunks and their parents: nothing lost, tables whole, headings kept."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.chunking import Cut, Parent, chunk
from knowledge.readers.sections import Section
from xiajiao.texts import estimate_tokens

CUT = Cut(size=64, overlap=8, parent_size=192)


def texts(parents: list[Parent]) -> list[str]:
    return [piece.text for parent in parents for piece in parent.pieces]


def cut_of(**changed: Any) -> Cut:
    return Cut(**({"size": 64, "overlap": 8, "parent_size": 192} | changed))


def test_a_short_text_is_one_chunk_in_one_parent() -> None:
    [parent] = chunk([Section("虾饺会记住你说过的话。")], CUT)
    assert texts([parent]) == [parent.text] == ["虾饺会记住你说过的话。"]


def test_each_chunk_stands_in_its_parent_where_it_says() -> None:
    sentences = " ".join(f"Sentence number {number} tells of dumplings and of tea." for number in range(200))
    parents = chunk([Section(sentences, ("Food",))], CUT)
    assert len(parents) > 5
    for parent in parents:
        assert estimate_tokens(parent.text) <= CUT.parent_size + CUT.size
        for piece in parent.pieces:
            assert parent.text[piece.start : piece.end] == piece.text
    for number in range(200):
        assert any(f"Sentence number {number} tells" in text for text in texts(parents)), number


def test_neighbours_share_what_the_overlap_asks_for() -> None:
    words = " ".join(f"word{number}" for number in range(400))
    with_overlap, without = chunk([Section(words)], CUT), chunk([Section(words)], cut_of(overlap=0))
    assert sum(map(len, texts(without))) <= len(words)
    assert sum(map(len, texts(with_overlap))) > len(words)
    assert all(parent.text in words for parent in with_overlap), "what both hold stands once in the parent"


def test_a_table_is_cut_between_rows_and_keeps_its_head() -> None:
    head = "| name | price |\n| --- | --- |"
    rows = "\n".join(f"| dish {number} | {number} yuan |" for number in range(100))
    pieces = texts(chunk([Section(rows, kind="table", table_header=head)], CUT))
    assert len(pieces) > 5
    for piece in pieces:
        assert piece.startswith(head)
        assert all(line.startswith("| ") and line.endswith(" |") for line in piece.splitlines())
    assert [line for piece in pieces for line in piece.splitlines()[2:]] == rows.splitlines()


def test_a_row_longer_than_a_chunk_is_cut_too() -> None:
    row = "| " + "很长的一格" * 60 + " |"
    pieces = texts(chunk([Section(row, kind="table", table_header="| a |\n| --- |")], CUT))
    assert len(pieces) > 1
    assert all(estimate_tokens(piece) <= CUT.size * 1.5 for piece in pieces)


def test_tiny_sections_join_their_neighbours_below_the_heading_they_share() -> None:
    path = ("Manual", "Install")
    [parent] = chunk([Section("Run it.", (*path, "Linux")), Section("Click it.", (*path, "macOS"))], CUT)
    [piece] = parent.pieces
    assert piece.section.heading_path == path
    assert piece.text == "Linux\nRun it.\n\nmacOS\nClick it."


def test_pages_and_chapters_are_not_mixed() -> None:
    pages = [Section("First.", page=1), Section("Second.", page=2)]
    chapters = [Section("One.", ("A",)), Section("Two.", ("B",))]
    assert [piece.section.page for parent in chunk(pages, CUT) for piece in parent.pieces] == [1, 2]
    assert [parent.text for parent in chunk(chapters, CUT)] == ["One.", "Two."]


def test_separators_of_the_base_come_first() -> None:
    pieces = texts(chunk([Section("Question one? Answer.###Question two? Answer.###")], cut_of(separators=["###"])))
    assert pieces == ["Question one? Answer.###", "Question two? Answer.###"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=400), max_size=6), st.sampled_from(["text", "code", "table"]))
def test_nothing_is_lost_and_nothing_too_large(contents: list[str], kind: str) -> None:
    parents = chunk([Section(text, kind=kind) for text in contents], CUT)
    kept = "".join(texts(parents))
    for text in contents:
        for word in text.split():
            for character in word:
                assert character in kept
    assert all(estimate_tokens(text) <= CUT.size * 1.5 for text in texts(parents))
