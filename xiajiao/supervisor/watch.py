"""Keep the children running until the person says stop."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

from django.utils.translation import gettext

from xiajiao.supervisor.children import Child, Command, stop_together, until_due
from xiajiao.supervisor.logs import ErrorTail, last_lines, rotate

# Seconds between two looks at the logs: for errors to show, and files to cut.
LOOK_AT_LOGS = 2.0
# Seconds that web and workers, and after them the broker, are given to end by themselves.
GRACE, BROKER_GRACE = 8.0, 5.0
# A failed start after which a child that can be mended is mended.
MEND_AFTER = 1.0


class Watch:
    """The children of one `up`. Wakes when one of them ends, when a restart is due, or by a signal to stop."""

    def __init__(self, say: Callable[[str], None], is_verbose: bool = False) -> None:
        self.say = say
        self.is_verbose = is_verbose
        self.children: list[Child] = []
        self.tails: dict[str, ErrorTail] = {}
        self.menders: dict[str, Callable[[], str | None]] = {}
        self.stopping_since = 0.0
        # The writing end closes with this process, however it ends; see launcher.py.
        self.lifeline, self._held = os.pipe()
        self._woken, waker = socket.socketpair()
        self._waker = waker
        for end in (self._woken, waker):
            end.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)

    def listen_for_signals(self) -> None:
        """Ctrl-C, a service's stop and a closed terminal all raise KeyboardInterrupt; a child's end only wakes."""
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """A terminal and `make` may both pass on one Ctrl-C: only a later one means "at once"."""
        now = time.monotonic()
        if self.stopping_since and now - self.stopping_since < 1:
            return
        self.stopping_since = self.stopping_since or now
        raise KeyboardInterrupt

    def start(self, command: Command, mend: Callable[[], str | None] | None = None) -> Child:
        """`mend` is called when the child fails to start again and again; it returns what it put aside."""
        child = Child(command, self.lifeline, self.is_verbose)
        if mend is not None:
            self.menders[command.name] = mend
        self.children.append(child)
        self.tails[command.name] = ErrorTail(command.log)
        child.start()
        return child

    def run(self) -> None:
        """Until KeyboardInterrupt."""
        while True:
            due = until_due(self.children)
            self._selector.select(LOOK_AT_LOGS if due is None else min(due, LOOK_AT_LOGS))
            self._drain()
            for child in self.children:
                self.show_errors(child)
                self.look_after(child)

    def _drain(self) -> None:
        try:
            self._woken.recv(4096)
        except BlockingIOError:
            return

    def look_after(self, child: Child) -> None:
        """Note an end, start again what is due, keep the log small."""
        if child.due_at is None and not child.is_running:
            self.report(child, child.note_end())
        elif child.due_at is not None and child.due_at <= time.monotonic():
            child.start()
        rotate(child.command.log)

    def show_errors(self, child: Child) -> None:
        for line in self.tails[child.name].read():
            self.say(f"{child.name}: {line}")

    def report(self, child: Child, delay: float) -> None:
        """What it said before it ended is shown only if it ended by itself: a killed one says nothing about why."""
        code = child.popen.returncode if child.popen else 0
        how = signal.Signals(-code).name if code < 0 else gettext("code %(code)s") % {"code": code}
        text = gettext("%(name)s ended (%(how)s) and starts again in %(seconds).1f s. Log: %(log)s")
        self.say(text % {"name": child.name, "how": how, "seconds": delay, "log": child.command.log})
        for line in last_lines(child.command.log, child.log_start) if code >= 0 else ():
            self.say(f"    {line}")
        if delay >= MEND_AFTER:
            self.mend(child)

    def mend(self, child: Child) -> None:
        aside = self.menders.get(child.name, lambda: None)()
        if aside:
            self.say(
                gettext("What %(name)s could not read now lies in %(path)s.") % {"name": child.name, "path": aside}
            )

    def stop(self) -> None:
        """All but the broker together, then the broker, which keeps what they wrote last. Bounded, then killed."""
        try:
            stop_together([child for child in self.children if child.name != "broker"], GRACE)
            stop_together([child for child in self.children if child.name == "broker"], BROKER_GRACE)
        except KeyboardInterrupt:
            for child in self.children:
                child.kill()
