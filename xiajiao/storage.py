"""Files of people under the data folder, by names of our own: what a person calls a file names nothing here."""

from __future__ import annotations

import errno
import re
import secrets
import time
from collections.abc import Container
from datetime import timedelta
from pathlib import Path

NAME = re.compile(r"[0-9a-f]{32}")
# As SQLite and PostgreSQL say it.
FULL = ("database or disk is full", "No space left on device")


def make_path(folder: Path) -> Path:
    """Where a new file goes, closed to others; nothing is there yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / secrets.token_hex(16)


def find_path(folder: Path, name: str) -> Path:
    """Raises FileNotFoundError for a name that is none of ours."""
    if not NAME.fullmatch(name):
        raise FileNotFoundError(name)
    return folder / name


def is_full(error: Exception) -> bool:
    """Whether there was no room on the disk for a file or for the database."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    return any(words in str(error) for words in FULL)


def remove_old(folder: Path, age: timedelta, known: Container[str] = ()) -> int:
    """How many files went that are older and whose name, without its ending, is none of the known ones."""
    strays = [path for path in list_files(folder) if path.stem not in known and is_older(path, age)]
    for path in strays:
        path.unlink(missing_ok=True)
    return len(strays)


def list_files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def is_older(path: Path, age: timedelta) -> bool:
    try:
        return path.stat().st_mtime < time.time() - age.total_seconds()
    except FileNotFoundError:
        return False
