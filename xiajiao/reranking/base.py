"""What crosses the door to a model that reads a question and texts together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class RerankError(Exception):
    """No scores came; the message is for the log."""


class BaseReranker(Protocol):
    """A backend, made where the database may be asked and used where it may not. `timeout` in seconds."""

    def score(self, query: str, texts: Sequence[str], timeout: float) -> list[float]:
        """One for each text, higher is better, comparable within one call alone. Raises RerankError."""
        ...
