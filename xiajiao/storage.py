"""Files of people under the data folder, by names of our own: what a person calls a file names nothing here."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

NAME = re.compile(r"[0-9a-f]{32}")


def make_path(folder: Path) -> Path:
    """Where a new file goes, closed to others; nothing is there yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / secrets.token_hex(16)


def find_path(folder: Path, name: str) -> Path:
    """Raises FileNotFoundError for a name that is none of ours."""
    if not NAME.fullmatch(name):
        raise FileNotFoundError(name)
    return folder / name
