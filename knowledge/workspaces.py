"""Files in the workspace of an agent: a folder under the data folder, out of which no name leads."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from django.conf import settings

from xiajiao.fencing import make_inert
from xiajiao.texts import clip
from xiajiao.tools import ToolError

MEGABYTE = 1024 * 1024
# Files that a model is told of where it names one that is not there.
NAMED = 20


def workspace_of(agent_id: int) -> Path:
    """Made where it is missing."""
    folder: Path = settings.WORKSPACES_DIR / str(agent_id)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def open_file(folder: Path, path: str) -> BinaryIO:
    """The file that a model names. Raises ToolError, which says what would be right."""
    found = find_file(folder, path)
    check_status(found.lstat(), path)
    try:
        file = os.fdopen(os.open(found, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError as error:
        raise ToolError(f"{show(path)} can't be opened: {error.strerror}.") from None
    check_status(os.fstat(file.fileno()), path)
    return file


def find_file(folder: Path, path: str) -> Path:
    """Canonical and within the folder. Raises ToolError."""
    named = PurePosixPath(path.strip())
    if not named.parts or "\0" in path:
        raise ToolError("path must name a file in the workspace, such as docs/api.md.")
    if named.is_absolute() or ".." in named.parts or named.parts[0].startswith("~"):
        raise ToolError(
            "path must be relative and stay in the workspace, such as docs/api.md: no leading / or ~, no .."
        )
    root = folder.resolve()
    try:
        found = (root / named).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise ToolError(f"There is no {show(path)} in the workspace. {tell_files(root)}") from None
    if found != root / named or not found.is_relative_to(root):
        raise ToolError(f"{show(path)} is a link or leads through one; name the file itself, in the workspace.")
    return found


def check_status(status: os.stat_result, path: str) -> None:
    """Raises ToolError."""
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"{show(path)} is no file: folders, devices and pipes can't be indexed.")
    if status.st_size > settings.KB_FILE_MAX_MB * MEGABYTE:
        raise ToolError(f"{show(path)} is larger than {settings.KB_FILE_MAX_MB} MB: split it.")


def tell_files(root: Path) -> str:
    files = [show(str(path.relative_to(root))) for path in islice(walk(root), NAMED)]
    return f"It holds {', '.join(files)}." if files else "It holds no files."


def walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(parent) / name for name in sorted(names))


def show(path: str) -> str:
    return repr(clip(make_inert(path), 100))
