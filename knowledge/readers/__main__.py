"""The child: reads one job from its input, writes what it finds to its output, a JSON array a line, and ends.

It is told where to work, what to read and within which bounds; it sets those on itself before it loads any library.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from knowledge.readers import formats
from knowledge.readers.limits import MEGABYTE, Limits
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.sections import Section, cut

# Seconds between two lines about progress.
PROGRESS_PAUSE = 0.2
# Bytes that it may write to a file: Python's compiled modules, nothing else.
LARGEST_FILE = MEGABYTE
OPEN_FILES = 64
PR_SET_PDEATHSIG = 1


def main() -> None:
    job = json.loads(sys.stdin.readline())
    limits = Limits(**job["limits"])
    output = confine(limits, job["parent"])
    teller = Teller(output, limits)
    reading = Reading(job["name"], Path(job["path"]), limits, job["encoding"], tell=teller.tell)
    try:
        for section in formats.read(reading):
            teller.tell_section(section)
        teller.tell("done", peak_memory())
    except ParseError as error:
        teller.tell("error", str(error.code), error.detail)
    except MemoryError:
        teller.tell("error", str(Reason.TOO_LARGE), "memory")
    output.flush()
    os._exit(0)  # nothing to tidy up, and libraries may hang or crash in their tidying


def confine(limits: Limits, parent: int) -> TextIO:
    """Set the bounds; the stream that is returned is the only way out, since libraries print to the usual one."""
    output = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, max(1, int(limits.seconds))),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most + 1 if kind == resource.RLIMIT_CPU and hard != most else most))
    os.nice(10)
    die_with(parent)
    return output


def die_with(parent: int) -> None:
    """End when the parent ends, however it does. Linux alone offers this; elsewhere the processor limit must do."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def peak_memory() -> int:
    """Kilobytes. On Linux getrusage says what the parent held where that was more."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Teller:
    """Writes the lines, and stops where the text grows past the limit."""

    def __init__(self, output: TextIO, limits: Limits) -> None:
        self.output = output
        self.left = limits.characters
        self.told = 0.0

    def tell(self, *message: Any) -> None:
        if message[0] == "progress":
            if time.monotonic() < self.told + PROGRESS_PAUSE:
                return
            self.told = time.monotonic()
        self.output.write(json.dumps(message) + "\n")
        if message[0] == "progress":
            self.output.flush()

    def tell_section(self, section: Section) -> None:
        self.left -= len(section.text)
        if self.left < 0:
            raise ParseError(Reason.TOO_LARGE, "characters")
        for piece in cut(section):
            if piece.text.strip():
                fields = (piece.text, piece.heading_path, piece.page, piece.sheet, piece.kind, piece.table_header)
                self.tell("section", *fields)


if __name__ == "__main__":
    main()
