"""A tree of HTML to sections: blocks to lines, headings to paths, tables to rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from knowledge.readers.outline import Outline
from knowledge.readers.sections import Section

HEADINGS = {f"h{level}": level for level in range(1, 7)}
SKIPPED = set("script style noscript template svg math iframe object head select button".split())
BLOCKS = set(
    "p div section article main header footer aside nav li ul ol dl dt dd blockquote figure figcaption address form"
    " fieldset tr td th table body pre caption details summary hr br".split()
)
PARAGRAPHS = {"p", "ul", "ol", "blockquote", "pre"}
SPACE = re.compile(r"[ \t\r\n\f]+")
# Cells across or down that a span may repeat.
WIDEST_SPAN = 100


class Walker:
    """Goes through the tree once; a step for each start and end of an element, so that depth costs nothing."""

    def __init__(self, root: tuple[str, ...] = ()) -> None:
        self.outline = Outline(root)
        self.line: list[str] = []
        self.verbatim = 0

    def walk(self, tree: etree._Element) -> Iterator[Section]:
        events = etree.iterwalk(tree, events=("start", "end"))
        for event, element in events:
            if event == "start":
                is_done, sections = self.enter(element)
                yield from sections
                if is_done:
                    events.skip_subtree()
                continue
            self.leave(name_of(element))
            if element is not tree:
                self.say(element.tail)
        self.end_line()
        yield from self.outline.close()

    def enter(self, element: etree._Element) -> tuple[bool, Iterator[Section]]:
        """Whether the element is dealt with whole, and what is complete now."""
        tag = name_of(element)
        if tag in SKIPPED:
            return True, iter(())
        if tag in HEADINGS:
            self.end_line()
            return True, self.outline.heading(HEADINGS[tag], words(element))
        if tag == "table" and is_of_data(element):
            self.end_line()
            return True, self.outline.table(rows_of(element))
        self.start(tag)
        self.say(element.text)
        return False, iter(())

    def start(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        if tag == "li":
            self.line.append("- ")
        self.verbatim += tag == "pre"

    def leave(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        if tag in PARAGRAPHS:
            self.outline.add("")
        self.verbatim -= tag == "pre"

    def say(self, text: str | None) -> None:
        if text and self.verbatim:
            self.line.append(text)
        elif text:
            self.line.append(SPACE.sub(" ", text))

    def end_line(self) -> None:
        line = "".join(self.line)
        line = line.strip("\n") if self.verbatim else SPACE.sub(" ", line).strip()
        if line and line != "-":
            self.outline.add(line)
        self.line = []


def name_of(element: etree._Element) -> str:
    """The tag without its namespace; comments have none."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def words(element: etree._Element) -> str:
    """The text of an element in one line; blocks and breaks inside it stand apart."""
    parts = []
    events = etree.iterwalk(element, events=("start", "end"))
    for event, inner in events:
        tag = name_of(inner)
        parts.append(" " if tag in BLOCKS else "")
        if event == "start" and tag in SKIPPED:
            events.skip_subtree()
        elif event == "start":
            parts.append(inner.text or "")
        elif inner is not element:
            parts.append(inner.tail or "")
    return SPACE.sub(" ", "".join(parts)).strip()


def is_of_data(table: etree._Element) -> bool:
    """Whether it shows rows of cells; tables that lay out a page hold tables, headings or one column."""
    inside = {name_of(element) for element in table.iterdescendants() if isinstance(element.tag, str)}
    widths = [len(cells_of(row)) for row in own_rows(table)]
    return not inside & {"table", *HEADINGS} and max(widths, default=0) > 1


def own_rows(table: etree._Element) -> list[etree._Element]:
    return [element for element in table.iterdescendants() if name_of(element) == "tr"]


def cells_of(row: etree._Element) -> list[etree._Element]:
    return [cell for cell in row if name_of(cell) in {"td", "th"}]


def rows_of(table: etree._Element) -> Iterator[list[str]]:
    """The cells of each row; what spans columns or rows is said in each of them, so that a row stands alone."""
    hanging: dict[int, tuple[int, str]] = {}
    for row in own_rows(table):
        filled: list[str] = []
        for cell in cells_of(row):
            take_hanging(filled, hanging)
            text = words(cell)
            across, down = span(cell, "colspan"), span(cell, "rowspan")
            for _ in range(across):
                if down > 1:
                    hanging[len(filled)] = (down - 1, text)
                filled.append(text)
        take_hanging(filled, hanging)
        yield filled


def take_hanging(filled: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Put in the cells that hang down from the rows above, until one of this row's own is due."""
    while (column := len(filled)) in hanging:
        left, text = hanging.pop(column)
        if left > 1:
            hanging[column] = (left - 1, text)
        filled.append(text)


def span(cell: etree._Element, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), WIDEST_SPAN) if value.isdecimal() and len(value) < 6 else 1
