"""The processes that `up` starts: each in a group of its own, tied to the life of `up`."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from xiajiao.supervisor import launcher

# A child that has run this long (seconds) was no failed start: its next restart is quick again.
SETTLED_AFTER = 20
FIRST_DELAY, LONGEST_DELAY = 0.2, 30.0
# Whoever was killed did not fail by itself, and people wait.
DELAY_AFTER_KILL = 0.3


@dataclass(frozen=True)
class Command:
    """What to run, and in which folder. `log` takes its output, `stop_signal` asks it to end, `pass_fds` stay open."""

    name: str
    arguments: list[str]
    log: Path
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM
    pass_fds: tuple[int, ...] = ()


class Child:
    """One command that is kept running: its process, and when the next start is due."""

    def __init__(self, command: Command, lifeline: int, is_verbose: bool = False) -> None:
        """`lifeline`: the reading end of a pipe whose other end only `up` holds."""
        self.command = command
        self.lifeline = lifeline
        self.is_verbose = is_verbose
        self.popen: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.log_start = 0
        self.due_at: float | None = None
        self.delay = FIRST_DELAY

    @property
    def name(self) -> str:
        return self.command.name

    @property
    def is_running(self) -> bool:
        return self.popen is not None and self.popen.poll() is None

    @property
    def was_killed(self) -> bool:
        """By somebody else, or by a system short of memory."""
        return self.popen is not None and self.popen.returncode in {-signal.SIGKILL, -signal.SIGTERM}

    def start(self) -> None:
        """Must be called from the main thread: Linux ties a child to the life of the thread that made it."""
        arguments = [sys.executable, "-I", "-S", str(Path(launcher.__file__)), str(os.getpid()), str(self.lifeline)]
        with self.command.log.open("ab") as log:
            self.log_start = log.tell()
            self.popen = subprocess.Popen(  # noqa: S603
                [*arguments, *self.command.arguments],
                stdin=subprocess.DEVNULL,
                stdout=None if self.is_verbose else log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.command.environment},
                cwd=self.command.folder,
                pass_fds=(self.lifeline, *self.command.pass_fds),
                start_new_session=True,
            )
        self.started_at = time.monotonic()
        self.due_at = None

    def note_end(self) -> float:
        """The process has ended: clear what is left of its group, and say in how many seconds it starts again."""
        self.kill()
        if time.monotonic() - self.started_at > SETTLED_AFTER:
            self.delay = FIRST_DELAY
        if self.was_killed:
            delay = DELAY_AFTER_KILL
        else:
            delay, self.delay = self.delay, min(self.delay * 2, LONGEST_DELAY)
        self.due_at = time.monotonic() + delay
        return delay

    def ask_to_stop(self) -> None:
        if self.popen is not None and self.is_running:
            self.popen.send_signal(self.command.stop_signal)

    def wait(self, seconds: float) -> None:
        """Wait so long for its end; then it is killed with its whole group."""
        if self.popen is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(max(seconds, 0))
        self.kill()

    def kill(self) -> None:
        """End the process and all that it started, at once."""
        if self.popen is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()


def stop_together(children: list[Child], seconds: float) -> None:
    """Ask all to end, and give them so long in all."""
    deadline = time.monotonic() + seconds
    for child in children:
        child.ask_to_stop()
    for child in children:
        child.wait(deadline - time.monotonic())


def until_due(children: list[Child]) -> float | None:
    """Seconds until the next start is due; None while all run."""
    due = [child.due_at for child in children if child.due_at is not None]
    return max(min(due) - time.monotonic(), 0.0) if due else None


def start_due(children: list[Child], before: Callable[[Child], None]) -> None:
    for child in children:
        if child.due_at is not None and child.due_at <= time.monotonic():
            before(child)
            child.start()
