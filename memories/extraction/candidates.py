"""What an extraction proposes to remember."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.models import Memory
from memories.models.types import Category


@dataclass(frozen=True)
class Candidate:
    """A memory that the write gate has not seen yet. `quote` are the user's own words, `subject` whom it is about where
    that is not the user."""

    content: str
    category: str = Category.SEMANTIC
    type_key: str = "user"
    quote: str = ""
    subject: str = ""
    importance: int = Memory.Importance.MEDIUM


@dataclass(frozen=True)
class Reading:
    """What a reply holds. `is_cut`: it ended early, and what its last item meant is not known. `summary`: the whole
    conversation in a line."""

    candidates: Sequence[Candidate] = ()
    is_cut: bool = False
    summary: str = ""


class ReplyError(ValueError):
    """A reply that says nothing that can be read. `code`: silent, no_list or refused. An empty list is none."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
