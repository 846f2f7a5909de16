"""Markdown: cut at its headings, its tables known; what is between stays as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.readers.outline import Outline
from knowledge.readers.reading import Reading
from knowledge.readers.sections import Section

BORDER = re.compile(r"(?<!\\)\|")
FRONT_MATTER = re.compile(r"\A---\n(.{0,10000}?)\n(?:---|\.\.\.)\n", re.DOTALL)
# Characters; the parser needs some hundred bytes for each line.
LONGEST = 20_000_000


def read(reading: Reading) -> Iterator[Section]:
    yield from sections_of(reading.text())


def sections_of(text: str, root: tuple[str, ...] = ()) -> Iterator[Section]:
    """The sections of a Markdown text; every line of it is in one of them, or in a heading path."""
    matter = FRONT_MATTER.match(text)
    if matter:
        yield Section(matter[1], root)
        text = text[matter.end() :]
    outline, lines, at = Outline(root), text.split("\n"), 0
    for token, title in top_blocks(text):
        start, end = token.map or (at, at)
        for line in lines[at:start]:
            outline.add(line)
        at = end
        if token.type == "heading_open":
            yield from outline.heading(int(token.tag[1:]), title)
        else:
            yield from outline.table(cells(line) for number, line in enumerate(lines[start:end]) if number != 1)
    for line in lines[at:]:
        outline.add(line)
    yield from outline.close()


def top_blocks(text: str) -> Iterator[tuple[Token, str]]:
    """The headings, each with its words, and the tables that stand in no list or quotation."""
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    tokens = parser.parse(text[:LONGEST])
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.level == 0 and token.type == "heading_open":
            yield token, plain(following.content if following else "")
        elif token.level == 0 and token.type == "table_open":
            yield token, ""


def plain(title: str) -> str:
    """A title without its marks for links and stress."""
    return re.sub(r"!?\[([^\]]{0,200})\]\([^)]{0,500}\)|[*`]", lambda match: match[1] or "", title)


def cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    parts = [part.replace("\\|", "|").strip() for part in BORDER.split(inner)]
    return parts[:-1] if parts and not parts[-1] else parts
