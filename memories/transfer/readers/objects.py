"""The objects of a list in a JSON file, one after another: a broken one ends itself and not the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from memories.transfer.entries import Spot

PIECE = 1 << 18
# Bytes; a memory has less.
LONGEST = 2 * 1024 * 1024
# Brackets in one another; a memory has fewer. Items that are never closed would else be searched to LONGEST each.
DEEPEST = 100
# Where the list may begin that holds them, beside at the very beginning.
LIST = re.compile(rb'"(?:results|memories|data)"\s*:\s*\[')
MARKS = re.compile(rb'["{}\[\]]')
DEPTHS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
# An object that begins as items of such a list do.
ITEM = re.compile(rb'\{\s*"(?:id|memory)"\s*:')


@dataclass
class Window:
    """A piece of the file in memory; `start` is the position of its first byte."""

    file: IO[bytes]
    text: bytes = b""
    start: int = 0
    lines: int = 1
    has_more: bool = True

    def grow(self) -> bool:
        piece = self.file.read(PIECE)
        self.text += piece
        self.has_more = bool(piece)
        return self.has_more

    def drop(self, count: int) -> None:
        self.lines += self.text.count(b"\n", 0, count)
        self.start += count
        self.text = self.text[count:]

    def spot(self, length: int = 0) -> Spot:
        return Spot(self.lines, self.start + length)


def read_objects(file: IO[bytes]) -> Iterator[tuple[Spot, bytes, bool]]:
    """Each object's place and its bytes, to the end of their list; False beside what has no end or is too long."""
    window = Window(file)
    window.grow()
    enter_list(window)
    while True:
        begin = window.text.find(b"{")
        if b"]" in (window.text if begin < 0 else window.text[:begin]):
            return
        if begin < 0:
            window.drop(len(window.text))
            if not window.grow():
                return
            continue
        window.drop(begin)
        length = find_end(window)
        is_whole = length > 0
        if not is_whole:
            length = find_next_item(window)
        yield window.spot(length), window.text[:length], is_whole
        window.drop(length)


def enter_list(window: Window) -> None:
    """Past the object around the list, if there is one; items of it stand on no list of their own."""
    found = LIST.search(window.text[:PIECE])
    first = window.text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if first == b"{" and found:
        window.drop(found.end())


def find_end(window: Window) -> int:
    """The length of the object at the beginning of the window; 0 where it has no end."""
    depth, place = 0, 0
    while place <= LONGEST:
        mark = MARKS.search(window.text, place)
        end = 0 if mark is None else find_mark_end(window.text, mark)
        if mark is None or not end:
            # What is at hand ends inside a string, or before the next bracket.
            if len(window.text) > LONGEST or not window.grow():
                return 0
            continue
        place = end
        depth += DEPTHS.get(mark[0], 0)
        if depth == 0:
            return place
        if depth > DEEPEST:
            return 0
    return 0


def find_mark_end(text: bytes, mark: re.Match[bytes]) -> int:
    """Behind a bracket, or behind the string that begins there; 0 where that has no end yet."""
    if mark[0] != b'"':
        return mark.end()
    string = STRING.match(text, mark.start())
    return string.end() if string else 0


def find_next_item(window: Window) -> int:
    """How far it is to where the next item seems to begin; to the end of the file where none does."""
    while True:
        found = ITEM.search(window.text, 1)
        if found:
            return found.start()
        if len(window.text) > LONGEST or not window.grow():
            return len(window.text)
