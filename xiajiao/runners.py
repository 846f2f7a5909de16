"""Which process is at work at something, and whether it still lives."""

from __future__ import annotations

import hashlib
import os
import socket
from functools import cache
from pathlib import Path

import psutil

STAT = Path("/proc/self/stat")


def name_runner() -> str:
    """This process among all that ever ran: `<machine>:<pid>:<start>`."""
    return name_process(os.getpid())


@cache
def name_process(pid: int) -> str:
    return f"{name_machine()}:{pid}:{read_start(pid)}"


def is_gone(runner: str) -> bool:
    """Whether that process is known to have ended; another machine's can't be asked for."""
    if runner == name_runner():
        return False
    machine, _, rest = runner.partition(":")
    pid, _, start = rest.partition(":")
    if machine != name_machine() or not pid.isdecimal():
        return False
    return read_start(int(pid)) != start


@cache
def name_machine() -> str:
    """Containers that share a host name have process ids of their own."""
    namespace = Path("/proc/self/ns/pid")
    inode = namespace.stat().st_ino if namespace.exists() else 0
    return hashlib.sha256(f"{socket.gethostname()}/{inode}".encode()).hexdigest()[:16]


def read_start(pid: int) -> str:
    """When it began, in hundredths of a second; empty where there is no such process, or only its corpse.

    On Linux since the machine started: the clock may be set while a process lives.
    """
    if STAT.exists():
        return read_ticks(pid)
    try:
        process = psutil.Process(pid)
        return "" if process.status() == psutil.STATUS_ZOMBIE else str(round(process.create_time() * 100))
    except psutil.NoSuchProcess:
        return ""


def read_ticks(pid: int) -> str:
    """Fields 3 and 22 of proc_pid_stat(5); the name before them may hold anything."""
    try:
        fields = (STAT.parent.parent / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[0] in {b"Z", b"X"} else fields[19].decode()
