"""One file while it is being read: its bytes, its bounds, and whom to tell what is found on the way."""

from __future__ import annotations

import io
import mmap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from knowledge.readers.encodings import decode
from knowledge.readers.limits import Limits
from knowledge.readers.reasons import Oddity

HOLLOW = b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"
PIECE = 1024 * 1024
Tell = Callable[..., None]


def tell_nobody(*_: Any) -> None:
    """For readings whose findings are of no interest."""


@dataclass(frozen=True)
class Reading:
    """A file on disk, or one inside another file, which is held as bytes."""

    name: str
    origin: Path | bytes
    limits: Limits = field(default_factory=Limits)
    encoding: str = ""
    """What a person says it is encoded in; empty to find out."""
    depth: int = 0
    tell: Tell = tell_nobody

    @property
    def ending(self) -> str:
        """`pdf` of `Report.PDF`; empty without one."""
        stem, dot, ending = self.name.rpartition(".")
        return ending.lower() if dot and stem else ""

    def open(self) -> BinaryIO:
        return io.BytesIO(self.origin) if isinstance(self.origin, bytes) else self.origin.open("rb")

    def content(self) -> bytes:
        return self.origin if isinstance(self.origin, bytes) else self.origin.read_bytes()

    def head(self, length: int) -> bytes:
        with self.open() as file:
            return file.read(length)

    def holds(self, needle: bytes) -> bool:
        """Whether these bytes stand anywhere in it; a file on disk is not read into memory for that."""
        if isinstance(self.origin, bytes):
            return needle in self.origin
        with self.origin.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(needle) >= 0

    def is_hollow(self) -> bool:
        """Whether it is made of nothing but zeros, spaces and byte order marks."""
        with self.open() as file:
            return not any(piece.strip(HOLLOW) for piece in iter(partial(file.read, PIECE), b""))

    def size(self) -> int:
        return len(self.origin) if isinstance(self.origin, bytes) else self.origin.stat().st_size

    def text(self, declared: str = "") -> str:
        """All of it as text with plain line ends; `declared` is the encoding that the file itself names.

        Raises ParseError where no encoding fits.
        """
        decoded = decode(self.content(), self.encoding, declared)
        if not self.depth:
            self.tell("encoding", decoded.encoding, decoded.is_guess)
        if decoded.replaced:
            self.remark(Oddity.BYTES_REPLACED, str(decoded.replaced))
        return decoded.text.replace("\r\n", "\n").replace("\r", "\n")

    def progress(self, stage: str, done: int, total: int) -> None:
        self.tell("progress", stage, done, total)

    def remark(self, oddity: Oddity, detail: str = "") -> None:
        self.tell("remark", str(oddity), detail)

    def found(self, **counts: int) -> None:
        """Say how many `pages` or `sheets` there are."""
        if not self.depth:
            for name, count in counts.items():
                self.tell("found", name, count)

    def inner(self, name: str, content: bytes) -> Reading:
        """A file inside this one."""
        return replace(self, name=name, origin=content, depth=self.depth + 1)
