"""What reading a file yields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

# Characters. A section is cut at the end of a line where it is longer, so that no line to the parent grows large.
LONGEST_TEXT = 32_000
LONGEST_TITLE = 300


@dataclass(frozen=True)
class Section:
    """A stretch of a file under one heading, on one page, of one kind; in the order of the file."""

    text: str
    heading_path: tuple[str, ...] = ()
    """The headings above it, outermost first; they are not repeated in the text."""
    page: int | None = None
    """Counted from 1: of a PDF, or a slide."""
    sheet: str = ""
    kind: str = "text"
    """`text`, `code`, or `table`: then each line of the text is a row in Markdown."""
    table_header: str = ""
    """Of a table: its head and the line of dashes below it, which the text doesn't repeat."""


def cut(section: Section) -> Iterator[Section]:
    """The same section in pieces of at most `LONGEST_TEXT` characters, cut between lines where there are any."""
    text = section.text
    while len(text) > LONGEST_TEXT:
        end = text.rfind("\n", 1, LONGEST_TEXT) + 1 or LONGEST_TEXT
        yield replace(section, text=text[:end])
        text = text[end:]
    yield replace(section, text=text)


def under(root: tuple[str, ...], sections: Iterator[Section]) -> Iterator[Section]:
    """The same sections below these headings; a heading that they begin with themselves is not said twice."""
    for section in sections:
        path = section.heading_path
        yield section if path[: len(root)] == root else replace(section, heading_path=root + path)
