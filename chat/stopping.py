"""Tell a turn to end early."""

from __future__ import annotations

import threading
from collections.abc import Callable


class TurnStoppedError(Exception):
    """Raised inside the turn where it notices; what was written so far is kept."""


class StopSignal:
    """Set from any thread; wakes the turn even while its model is silent."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.outcome = ""
        self.wake: Callable[[], None] = lambda: None

    @property
    def is_set(self) -> bool:
        return self.event.is_set()

    def set(self, outcome: str) -> None:
        """`outcome` is the Message.Status that the answer ends with; the first word counts."""
        self.outcome = self.outcome or outcome
        self.event.set()
        self.wake()

    def check(self) -> None:
        """Raises TurnStoppedError once it is set."""
        if self.is_set:
            raise TurnStoppedError
