"""Markdown with `##` sections (MEMORY.md): each bullet and each paragraph is a memory, fenced code stays whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memories.drafts import CONTENT_LENGTH, Draft
from memories.transfer.entries import Entry, Fault, ForeignEntry, Spot
from memories.transfer.lines import decode, read_lines
from memories.transfer.readers.mem0 import make_key
from memories.transfer.words import guess_by_heading
from xiajiao.texts import clip

HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t]*#*$")
BULLET = re.compile(r"([-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
RULE = re.compile(r"[ ]{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
LONGEST_LINE = 1024 * 1024
# Characters of a block that are gathered: more than a memory may have, so that it is told to be too long.
MOST = 4 * CONTENT_LENGTH


@dataclass
class Block:
    """What is being gathered: lines that belong together, from the line `line` on."""

    line: int = 0
    texts: list[str] = field(default_factory=list)
    is_bullet: bool = False
    is_guessed: bool = False
    size: int = 0

    def add(self, text: str) -> None:
        self.size += len(text)
        if self.size <= MOST:
            self.texts.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.texts).strip()


class Sections:
    """Takes line after line and gives what is finished."""

    def __init__(self) -> None:
        self.headings: list[str] = []
        self.block = Block()
        self.fence = ""
        self.is_front_matter = False
        self.is_comment = False

    def take(self, number: int, raw: bytes) -> Block | None:
        """The block that this line brings to its end."""
        text, is_guessed = decode(raw)
        text = text.rstrip()
        if self.skip(number, text):
            return None
        if self.fence:
            return self.take_code(text)
        fence = FENCE.match(text)
        if fence:
            return self.open_fence(number, text, fence[1])
        finished = self.take_text(number, text)
        self.block.is_guessed |= is_guessed
        return finished

    def skip(self, number: int, text: str) -> bool:
        """Front matter and comments are for programs."""
        if number == 1 and text == "---":
            self.is_front_matter = True
            return True
        if self.is_front_matter:
            self.is_front_matter = text not in {"---", "..."}
            return True
        if not self.fence and text.lstrip().startswith("<!--"):
            self.is_comment = True
        was_comment = self.is_comment
        self.is_comment = self.is_comment and "-->" not in text
        return was_comment

    def take_code(self, text: str) -> Block | None:
        self.block.add(text)
        is_closing = text.strip().startswith(self.fence) and not text.strip(f" {self.fence[0]}")
        self.fence = "" if is_closing else self.fence
        return None

    def open_fence(self, number: int, text: str, fence: str) -> Block | None:
        """Code belongs to the paragraph or bullet right above it; a blank line between leaves it on its own."""
        self.fence = fence
        if self.block.texts:
            self.block.add(text)
            return None
        self.block = Block(number, [text])
        return None

    def take_text(self, number: int, text: str) -> Block | None:
        heading = HEADING.match(text)
        bullet = BULLET.match(text if self.block.is_bullet else text.lstrip())
        if heading:
            return self.enter(len(heading[1]), heading[2])
        if not text or RULE.match(text):
            return self.finish()
        if bullet:
            finished = self.finish()
            self.block = Block(number, [bullet[2]], is_bullet=True)
            return finished
        if not self.block.texts:
            self.block = Block(number, [text.strip()])
            return None
        self.block.add(text if self.block.is_bullet else text.strip())
        return None

    def enter(self, level: int, heading: str) -> Block | None:
        """The title of the file is no section."""
        finished = self.finish()
        self.headings = self.headings[: max(level - 2, 0)]
        if level > 1:
            self.headings.append(heading.strip("*_` "))
        return finished

    def finish(self) -> Block | None:
        finished, self.block = self.block, Block()
        return finished if finished.text else None


def read_sections(path: Path) -> Iterator[Entry]:
    sections = Sections()
    number = position = 0
    with path.open("rb") as file:
        for number, position, raw in read_lines(file, LONGEST_LINE):
            if raw is None:
                yield Fault(Spot(number, position), "line_too_long")
                continue
            headings = list(sections.headings)
            block = sections.take(number, raw)
            if block is not None:
                yield as_entry(block, headings, position)
    last = sections.finish()
    if last is not None:
        yield as_entry(last, sections.headings, position)


def as_entry(block: Block, headings: list[str], position: int) -> Entry:
    section = headings[-1] if headings else ""
    category, type_key = guess_by_heading(section)
    draft = Draft(
        content=block.text,
        category=category,
        type_key=type_key,
        tags=[clip(heading, 50) for heading in headings],
        metadata={"section": " / ".join(headings)} if headings else {},
    )
    remark = "guessed_encoding" if block.is_guessed else ""
    spot = Spot(block.line, position)
    return ForeignEntry(spot, draft, make_key("sections", section, block.text), remark=remark)
