"""What a child told of a file, taken down with distrust: it has read the file, and may be the file's by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.readers.reasons import Oddity, ParseError, Reason, Remark
from knowledge.readers.sections import Section
from xiajiao.texts import read_json

# Remarks that are kept of one file.
MOST_REMARKS = 100


@dataclass(frozen=True)
class Parsed:
    """A file as text. There is at least one section, and each says something."""

    sections: Sequence[Section]
    kind: str
    """Which reader read it: a name in knowledge.readers.formats.READERS."""
    encoding: str = ""
    """Of a text file; empty for those that have none of their own."""
    encoding_is_guess: bool = False
    remarks: Sequence[Remark] = ()
    pages: int | None = None
    """Of a PDF; the slides of a show."""
    sheets: int | None = None
    peak_memory: int = 0
    """Bytes that the child held at most."""


@dataclass
class Progress:
    """The last that a child said of how far it is; no total is 0."""

    stage: str = "starting"
    done: int = 0
    total: int = 0


@dataclass
class Record:
    """Gathers a child's lines. Raises ParseError for the one that says so, ValueError for one that makes no sense."""

    characters_left: int
    progress: Progress = field(default_factory=Progress)
    sections: list[Section] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    is_done: bool = False

    def take(self, line: bytes) -> None:
        match read_json(line):
            case ["section", str(text), list(path), int() | None as page, str(sheet), str(kind), str(header)]:
                self.add(Section(text, tuple(map(str, path)), page, sheet, kind, header))
            case ["progress", str(stage), int(done), int(total)]:
                self.progress = Progress(stage, done, total)
            case ["done", int(kilobytes)]:
                self.facts["peak_memory"], self.is_done = kilobytes * 1024, True
            case ["error", str(code), str(detail)]:
                raise ParseError(Reason(code), detail)
            case other:
                self.note(other)

    def note(self, message: Any) -> None:
        """A line about the file as a whole."""
        match message:
            case ["remark", str(oddity), str(detail)]:
                self.remarks += [Remark(Oddity(oddity), detail)] if len(self.remarks) < MOST_REMARKS else []
            case ["found", "pages" | "sheets" as name, int(count)]:
                self.facts[name] = count
            case ["encoding", str(name), bool(is_guess)]:
                self.facts |= {"encoding": name, "encoding_is_guess": is_guess}
            case ["kind", str(kind)]:
                self.facts["kind"] = kind
            case _:
                raise ValueError(f"A child said {str(message)[:100]!r}.")

    def add(self, section: Section) -> None:
        """The text is clean by now: NUL and halves of characters may come from any reader, through escapes."""
        self.characters_left -= len(section.text)
        if self.characters_left < 0:
            raise ParseError(Reason.TOO_LARGE, "characters")
        if section.text.strip():
            self.sections.append(section)

    def finish(self) -> Parsed:
        if not self.sections:
            raise ParseError(Reason.EMPTY, "no text in it")
        return Parsed(tuple(self.sections), remarks=tuple(self.remarks), **{"kind": "", **self.facts})
