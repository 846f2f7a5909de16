"""Rows of cells as Markdown, in sections that each know their table's head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from knowledge.readers.sections import LONGEST_TEXT, Section

# Characters of a head, which is repeated above each piece of its table; a longer one is a row as the others.
LONGEST_HEAD = 4_000


def markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escape(cell) for cell in cells) + " |"


def escape(cell: str) -> str:
    """A cell in one line, whose pipes are no borders."""
    return " ".join(cell.split()).replace("|", "\\|")


def tables(rows: Iterable[list[str]], place: Section) -> Iterator[Section]:
    """A table as sections of some rows each, at that place; its first row that is not empty is its head.

    A table of one row has no head: its row is its text. Nothing of it is left out.
    """
    filled = (trim(row) for row in rows)
    filled = (row for row in filled if row)
    head = next(filled, None)
    if head is None:
        return
    second = next(filled, None)
    if second is None:
        yield replace(place, kind="table", text=markdown_row(head))
        return
    header, lines, length = f"{markdown_row(head)}\n|{' --- |' * len(head)}", [markdown_row(second)], 0
    if len(header) > LONGEST_HEAD:
        header, lines = "", [markdown_row(head), *lines]
    place = replace(place, kind="table", table_header=header)
    for row in filled:
        if length > LONGEST_TEXT // 2:
            yield replace(place, text="\n".join(lines))
            lines, length = [], 0
        lines.append(markdown_row(row))
        length += len(lines[-1])
    yield replace(place, text="\n".join(lines))


def trim(row: list[str]) -> list[str]:
    """The row without the empty cells at its end."""
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]
