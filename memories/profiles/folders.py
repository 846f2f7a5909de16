"""A folder of profile files on disk: read without following a link, written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memories.models import ProfileFile
from memories.profiles.bringing import Brought
from memories.profiles.layout import DAYS, FIXED, FOLDER, LARGEST, MOST

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
# What somebody may have meant for one of the files; other files beside the folder's are nobody's business here.
MISPLACED = {"soul.md", "user.md", "memory.md", "daily.md"}
WRITTEN, SAME, REFUSED = "written", "same", "refused"


@dataclass(frozen=True)
class Written:
    """What became of a file on its way out; `fault`: why it was not written."""

    path: str
    verdict: str
    fault: str = ""
    detail: str = ""


def read_folder(root: Path) -> Iterator[Brought]:
    """The files of the layout, and what else lies where only they should. Raises OSError where there is no folder."""
    with open_folder(str(root), follows=True) as top:
        for name in sorted(os.listdir(top)):
            if name in FIXED or name.lower() in MISPLACED:
                yield read_below(top, name, name)
        yield from read_inner(top, FOLDER, FOLDER)


def read_inner(parent: int, name: str, path: str) -> Iterator[Brought]:
    """`memories` and `memories/daily`; hidden files are nobody's notes."""
    try:
        with open_folder(name, parent) as folder:
            names = sorted(each for each in os.listdir(folder) if not each.startswith("."))
            for each in names[:MOST]:
                below = f"{path}/{each}"
                if below == f"{FOLDER}/{DAYS}":
                    yield from read_inner(folder, each, below)
                else:
                    yield read_below(folder, each, below)
            if len(names) > MOST:
                yield Brought(path, fault="too_many")
    except FileNotFoundError:
        return
    except OSError as error:
        yield refuse(path, error)


@contextmanager
def open_folder(name: str, parent: int | None = None, *, follows: bool = False) -> Iterator[int]:
    handle = os.open(name, FOLDER_FLAGS & ~os.O_NOFOLLOW if follows else FOLDER_FLAGS, dir_fd=parent)
    try:
        yield handle
    finally:
        os.close(handle)


def read_below(folder: int, name: str, path: str) -> Brought:
    shown = path.encode(errors="surrogateescape").decode(errors="replace")
    try:
        with os.fdopen(os.open(name, FILE_FLAGS, dir_fd=folder), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Brought(shown, fault="special")
            # One byte more than fits says that it is too long.
            return Brought(shown, file.read(LARGEST + 1))
    except OSError as error:
        return refuse(shown, error)


def refuse(path: str, error: OSError) -> Brought:
    if error.errno in {errno.ELOOP, errno.ENOTDIR}:
        return Brought(path, fault="link")
    if error.errno == errno.EISDIR:
        return Brought(path, fault="special")
    return Brought(path, fault="unreadable", detail=error.strerror or "")


def write_folder(root: Path, files: Iterable[tuple[str, ProfileFile]], overwrites: bool = False) -> Iterator[Written]:
    """Each file at once; the folder is made. What stands there and never was a text of that file is left alone.

    Raises OSError where the folder can't be made.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, file in files:
        try:
            yield write_below(root, PurePosixPath(path), file, overwrites)
        except OSError as error:
            refused = refuse(path, error)
            yield Written(path, REFUSED, refused.fault, refused.detail)


def write_below(root: Path, path: PurePosixPath, file: ProfileFile, overwrites: bool) -> Written:
    """Raises OSError."""
    with open_folder(str(root), follows=True) as top:
        return write_in(top, path.parts, file, overwrites)


def write_in(folder: int, parts: tuple[str, ...], file: ProfileFile, overwrites: bool, above: str = "") -> Written:
    """Down to the last folder, none of which is a link. Raises OSError."""
    name, *rest = parts
    path = f"{above}{name}"
    if rest:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=folder)
        with open_folder(name, folder) as inner:
            return write_in(inner, tuple(rest), file, overwrites, f"{path}/")
    there = read_below(folder, name, path)
    is_missing = there.fault == "unreadable" and not exists(folder, name)
    content = file.text.encode()
    if there.fault and not is_missing:
        return Written(path, REFUSED, there.fault, there.detail)
    if not is_missing and there.content == content:
        return Written(path, SAME)
    if not is_missing and not overwrites and not was_ours(file, there.content):
        return Written(path, REFUSED, "foreign")
    replace(folder, name, content)
    return Written(path, WRITTEN)


def exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def was_ours(file: ProfileFile, content: bytes) -> bool:
    """Whether that is a text which the file once had: an earlier export that nobody changed."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    return not text or file.revisions.filter(after=text).exists()


def replace(folder: int, name: str, content: bytes) -> None:
    """Whole, under its name only when it is on the disk. Raises OSError."""
    draft = f".{name}.{secrets.token_hex(6)}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
