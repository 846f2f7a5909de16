"""The files that the children write to, kept small."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

LARGEST = 10 * 1024 * 1024
KEPT = 3
# As LOGGING in settings.py writes them: date, time, level.
ERROR_LINE = re.compile(r"\S+ \S+ (ERROR|CRITICAL) ")
MOST_ERRORS = 5


class ErrorTail:
    """The errors that were written to a log since the last look, one line each; tracebacks stay in the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.position = path.stat().st_size if path.exists() else 0

    def read(self) -> list[str]:
        size = self.path.stat().st_size if self.path.exists() else 0
        if size < self.position:
            self.position = 0  # emptied by rotate()
        if size == self.position:
            return []
        with self.path.open("rb") as file:
            file.seek(self.position)
            whole, newline, _ = file.read(LARGEST).rpartition(b"\n")
        self.position += len(whole + newline)
        lines = whole.decode("utf-8", "replace").splitlines()
        return [line[:300] for line in lines if ERROR_LINE.match(line)][:MOST_ERRORS]


def rotate(path: Path, largest: int = LARGEST) -> None:
    """Copy a grown file aside (`web.log.1` is the newest, KEPT of them stay) and empty it.

    It is emptied and not renamed: the child goes on writing to the end of the file that it has open.
    """
    if not path.exists() or path.stat().st_size < largest:
        return
    for number in range(KEPT - 1, 0, -1):
        older = path.with_name(f"{path.name}.{number}")
        if older.exists():
            older.replace(path.with_name(f"{path.name}.{number + 1}"))
    shutil.copyfile(path, path.with_name(f"{path.name}.1"))
    with path.open("r+b") as file:
        file.truncate(0)


def last_lines(path: Path, since: int = 0, count: int = 8) -> list[str]:
    """The end of a log, from the byte `since` on, long lines cut; empty where there is none."""
    if not path.exists():
        return []
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - 16_384, since, 0))
        lines = file.read().decode("utf-8", "replace").splitlines()
    return [line[:300] for line in lines if line.strip()][-count:]
