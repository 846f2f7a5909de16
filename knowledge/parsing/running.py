"""Run a reader in a child process, listen to it, and be rid of it whatever happens."""

from __future__ import annotations

import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from knowledge.parsing.parsed import Parsed, Record
from knowledge.readers.limits import Limits
from knowledge.readers.reasons import ParseError, Reason

logger = logging.getLogger(__name__)

# Seconds between two calls of `on_progress` while the child is silent.
HEARTBEAT = 2.0
# Bytes: more in one line, or more complaints, than any reader of ours has to say.
LONGEST_LINE = 4_000_000
COMPLAINTS = 2_000
PIECE = 65_536

OnProgress = Callable[[str, int, int], None]


def silent(_stage: str, _done: int, _total: int) -> None:
    """For callers who wait without a word."""


def parse(
    path: Path, name: str, limits: Limits | None = None, encoding: str = "", on_progress: OnProgress = silent
) -> Parsed:
    """The text of the file at `path`; `name` is what its owner calls it, and is used as no path.

    `encoding` is a person's word about a text file, one of ENCODINGS, or empty to find out. `on_progress(stage, done,
    total)` is called at least every two seconds, and some five times a second while things move; the stage is
    `starting` or `reading`, `total` 0 while unknown. What it raises ends the child and passes through, which is how to
    cancel. Raises ParseError.
    """
    limits = limits or Limits()
    if path.stat().st_size > limits.size:
        raise ParseError(Reason.TOO_LARGE, f"{path.stat().st_size} bytes")
    record = Record(limits.characters)
    job: dict[str, object] = {
        "path": str(path.absolute()),
        "name": name,
        "encoding": encoding,
        "limits": asdict(limits),
    }
    deadline = time.monotonic() + limits.seconds
    with started(job) as child:
        complaints = listen(child, record, deadline, on_progress)
        try:
            status = child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise ParseError(Reason.TIMED_OUT, "silent, but not dead") from error
    if not record.is_done:
        raise explain(status, complaints)
    return record.finish()


@contextmanager
def started(job: dict[str, object]) -> Iterator[subprocess.Popen[bytes]]:
    """A child at work, in a process group of its own, with nothing of our environment but where modules are.

    When the block is left, however, the group is dead and the child is reaped.
    """
    child = subprocess.Popen(
        [sys.executable, "-S", "-P", "-m", "knowledge.readers"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(module_folders()), "PYTHONUTF8": "1"},
        start_new_session=True,
    )
    try:
        with child:
            try:
                hand_over(child, job)
                yield child
            finally:
                kill(child)
    finally:
        child.wait()


def module_folders() -> list[str]:
    """Where Python looks for modules, absolute, ours first."""
    ours = str(Path(__file__).resolve().parents[2])
    return [ours, *(os.path.abspath(folder) for folder in sys.path if folder and folder != ours)]


def hand_over(child: subprocess.Popen[bytes], job: dict[str, object]) -> None:
    assert child.stdin is not None
    try:
        child.stdin.write(json.dumps({**job, "parent": os.getpid()}).encode() + b"\n")
        child.stdin.close()
    except BrokenPipeError:
        logger.warning("A child that reads files ended at its start.")


def kill(child: subprocess.Popen[bytes]) -> None:
    """With all that it may have started. One that is reaped may have left its number to a stranger."""
    if child.returncode is not None:
        return
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()


def listen(child: subprocess.Popen[bytes], record: Record, deadline: float, on_progress: OnProgress) -> str:
    """Take down what the child says until it is silent for good; returns its complaints.

    Raises ParseError: the child's own, `timed_out` at the deadline, `corrupt` for babble.
    """
    assert child.stdout is not None
    assert child.stderr is not None
    rest, complaints, beat, last = bytearray(), b"", 0.0, None
    with selectors.DefaultSelector() as pipes:
        pipes.register(child.stdout, selectors.EVENT_READ)
        pipes.register(child.stderr, selectors.EVENT_READ)
        while pipes.get_map():
            now = time.monotonic()
            if now > deadline:
                raise ParseError(Reason.TIMED_OUT, f"in the stage {record.progress.stage}")
            if now > beat + HEARTBEAT or record.progress is not last:
                beat, last = now, record.progress
                on_progress(last.stage, last.done, last.total)
            for key, _events in pipes.select(min(HEARTBEAT, deadline - now)):
                piece = os.read(key.fd, PIECE)
                if not piece:
                    pipes.unregister(key.fileobj)
                elif key.fileobj is child.stderr:
                    complaints = (complaints + piece)[-COMPLAINTS:]
                else:
                    take_lines(rest, piece, record)
    return complaints.decode("utf-8", "replace")


def take_lines(rest: bytearray, piece: bytes, record: Record) -> None:
    """Hand the complete lines to the record; `rest` keeps the beginning of the next one."""
    rest += piece
    if len(rest) > LONGEST_LINE:
        raise ParseError(Reason.CORRUPT, "the reader babbles")
    *lines, last = rest.split(b"\n") if b"\n" in piece else [rest]
    rest[:] = last
    try:
        for line in lines:
            record.take(bytes(line))
    except ValueError as error:
        raise ParseError(Reason.CORRUPT, f"the reader babbles: {error}"[:200]) from error


def explain(status: int, complaints: str) -> ParseError:
    """Why a child ended without a last word; what it complained of goes to the log."""
    logger.warning("A child that reads files ended with status %s: %s", status, complaints.strip())
    lines = [line for line in complaints.splitlines() if line.strip() and not line.startswith("note:")]
    last = lines[-1][:200] if lines else ""
    if status == -signal.SIGXCPU:
        return ParseError(Reason.TIMED_OUT, "processor time")
    if "memory allocation" in complaints or "MemoryError" in complaints:
        return ParseError(Reason.TOO_LARGE, f"memory: {last}")
    if status == -signal.SIGKILL:
        return ParseError(Reason.STOPPED, "the reader ended by SIGKILL")
    if status < 0:
        return ParseError(Reason.CORRUPT, f"the reader ended by {signal.Signals(-status).name}: {last}")
    return ParseError(Reason.CORRUPT, f"the reader failed: {last}")
