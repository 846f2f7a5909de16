"""What a reader makes of a file: one entry for each line, row or item, the unreadable ones too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memories.drafts import Draft


class FileError(Exception):
    """Nothing of the file can be read; `code` is worded by the page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class EntryError(ValueError):
    """One entry can't be taken; `code` and `details` are worded by the page."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


@dataclass(frozen=True)
class Spot:
    """Where in the file: the line (the row of a database), and how far into it, in what `measure` counts."""

    line: int
    position: int


@dataclass(frozen=True)
class Fault:
    spot: Spot
    code: str
    details: dict[str, Any] = field(default_factory=dict)
    excerpt: str = ""


@dataclass(frozen=True)
class Record:
    """A line of our own format; `kind` is header, agent, type, memory or revision, `values` what it says."""

    spot: Spot
    kind: str
    values: dict[str, Any]


@dataclass(frozen=True)
class ForeignEntry:
    """A memory of another system. `key` names it there, whatever file it comes in.

    `remark`: a code of what had to be guessed. `agent` and `person` are names there; empty where it has none.
    """

    spot: Spot
    draft: Draft
    key: str
    agent: str = ""
    person: str = ""
    remark: str = ""


Entry = Fault | Record | ForeignEntry
