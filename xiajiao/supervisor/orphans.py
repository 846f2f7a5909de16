"""Processes that an earlier `up` on the same data folder may have left behind."""

from __future__ import annotations

from pathlib import Path

import psutil

# Set in the environment of each child, beside XIAJIAO_DATA: the pair tells whose child a process is.
CHILD_MARK = "XIAJIAO_CHILD"


def find_orphans(folder: Path) -> list[psutil.Process]:
    """Children of any `up` on this folder, with all that they started.

    Told by their environment, which grandchildren inherit and which no reused process id can fake.
    """
    return [found for found in psutil.process_iter() if is_child(found, folder)]


def is_child(found: psutil.Process, folder: Path) -> bool:
    try:
        environment = found.environ()
        is_dead = found.status() == psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False
    return not is_dead and CHILD_MARK in environment and environment.get("XIAJIAO_DATA") == str(folder)


def end_orphans(folder: Path, seconds: float = 10) -> int:
    """Kill them and wait for their end, so long at most; how many there were.

    Only for the holder of the folder's lock: nobody else's children are left then.
    """
    found = find_orphans(folder)
    for orphan in found:
        try:
            orphan.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(found, timeout=seconds)
    return len(found)
