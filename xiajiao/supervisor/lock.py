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


def take_folder(folder: Path) -> int:
    """The descriptor that holds the folder until it is closed. Raises FolderTakenError."""
    handle = os.open(folder / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        os.close(handle)
        raise FolderTakenError(int(holder) if holder.isdigit() else 0) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode("ascii"), 0)
    return handle


def find_holder(folder: Path) -> int | None:
    """The process id of the `up` that holds the folder; None where none does."""
    try:
        os.close(take_folder(folder))
    except FolderTakenError as error:
        return error.holder
    return None
