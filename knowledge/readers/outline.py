"""Lines and headings to sections: what every format with headings has in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.readers.rows import tables
from knowledge.readers.sections import LONGEST_TITLE, Section


class Outline:
    """The headings above the place being read, and the lines since the last of them.

    `root` stands above all headings: the title of a chapter, the name of an attachment.
    """

    def __init__(self, root: tuple[str, ...] = (), page: int | None = None) -> None:
        self.root = root
        self.page = page
        self.headings: list[tuple[int, str]] = []
        self.lines: list[str] = []
        self.is_bare = False

    @property
    def path(self) -> tuple[str, ...]:
        return self.root + tuple(title for _level, title in self.headings)

    def add(self, text: str) -> None:
        self.lines.append(text)

    def heading(self, level: int, title: str) -> Iterator[Section]:
        """Close what came before. A heading with nothing below it becomes a text, else nobody would find it."""
        whole = " ".join(title.split())
        title = whole[:LONGEST_TITLE]
        if not title:
            return
        yield from self.flush()
        if self.is_bare and level <= self.headings[-1][0]:
            yield Section(self.headings[-1][1], self.path[:-1], self.page)
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, title))
        self.is_bare = True
        if whole != title:
            self.add(whole)

    def table(self, rows: Iterable[list[str]]) -> Iterator[Section]:
        yield from self.flush()
        for section in tables(rows, Section("", self.path, self.page)):
            self.is_bare = False
            yield section

    def flush(self, kind: str = "text") -> Iterator[Section]:
        text = "\n".join(self.lines).strip("\n")
        self.lines = []
        if text.strip():
            self.is_bare = False
            yield Section(text, self.path, self.page, kind=kind)

    def close(self) -> Iterator[Section]:
        yield from self.flush()
        if self.is_bare:
            self.is_bare = False
            yield Section(self.headings[-1][1], self.path[:-1], self.page)
