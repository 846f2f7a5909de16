"""One `up` for one data folder, held by a lock that the system lets go however the holder ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class FolderTakenError(Exception):
    """Another `up` holds the folder; `holder` is its process id, 0 where unknown."""

    def __init__(self, holder: int) -> None:
        super().__init__(f"held by process {holder}")
        self.holder = holder


class FolderClosedError(Exception):
    """This account may not write in the folder; the text is the system's."""


def take_folder(folder: Path) -> int:
    """The descriptor that holds the folder until it is closed. Raises FolderTakenError, FolderClosedError."""
    try:
        handle = os.open(folder / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise FolderClosedError(error.strerror) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = read_holder(handle)
        os.close(handle)
        raise FolderTakenError(holder) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode("ascii"), 0)
    return handle


def find_holder(folder: Path) -> int | None:
    """The process id of the `up` that holds the folder (0 where unreadable); None where none does."""
    path = folder / "up.lock"
    if not path.exists():
        return None
    with path.open("rb") as file:
        try:
            # Shared: two who ask don't take each other for a holder.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return read_holder(file.fileno())
    return None


def read_holder(handle: int) -> int:
    text = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
    return int(text) if text.isdigit() else 0
