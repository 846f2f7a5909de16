"""Files of transfers under the data folder, by names of our own: what a person calls a file names nothing here."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from django.conf import settings

NAME = re.compile(r"[0-9a-f]{32}")


def make_path(folder: Path) -> Path:
    """Where a new file goes, closed to others; nothing is there yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / secrets.token_hex(16)


def import_path(name: str) -> Path:
    return find_path(settings.IMPORTS_DIR, name)


def export_path(name: str) -> Path:
    return find_path(settings.EXPORTS_DIR, name)


def find_path(folder: Path, name: str) -> Path:
    """Raises FileNotFoundError for a name that is none of ours."""
    if not NAME.fullmatch(name):
        raise FileNotFoundError(name)
    return folder / name


def remove(path: Path) -> None:
    """The file and what lies beside it; gone already is as well."""
    for each in (path, plan_beside(path)):
        each.unlink(missing_ok=True)


def plan_beside(path: Path) -> Path:
    """Of an export: the keys of the memories that it is made of."""
    return path.with_suffix(".plan")
