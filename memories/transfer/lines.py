"""The lines of a file, one at a time and none longer than is good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

BOM = b"\xef\xbb\xbf"
LONGEST = 16 * 1024 * 1024


def read_lines(file: IO[bytes], longest: int = LONGEST) -> Iterator[tuple[int, int, bytes | None]]:
    """Number from 1 on, the position behind it, and the line without its end; None for one that is too long.

    However long a line is, no more than `longest` bytes are held.
    """
    number, position = 0, 0
    while line := file.readline(longest + 1):
        number += 1
        position += len(line)
        if len(line) > longest and not line.endswith(b"\n"):
            position += skip_line(file)
            yield number, position, None
            continue
        if number == 1:
            line = line.removeprefix(BOM)
        yield number, position, line.rstrip(b"\r\n")


def skip_line(file: IO[bytes]) -> int:
    """How many bytes the rest of the line has."""
    skipped = 0
    while piece := file.readline(1 << 20):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def decode(raw: bytes) -> tuple[str, bool]:
    """The text, and whether it had to be guessed at: UTF-8, else GB 18030 (GBK with it), else with gaps."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding), False
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace"), True
