"""What recall returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from memories.models import Memory

Reason = Literal["pinned", "procedural", "relevant"]


@dataclass(frozen=True)
class RecalledMemory:
    """A memory for a turn and why; `score` is None for what always goes in, and was not found by searching."""

    memory: Memory
    score: float | None
    score_parts: dict[str, float]
    reason: Reason
    was_cut: bool = False


@dataclass(frozen=True)
class Recall:
    """What a turn knows. `degraded`: why the search was by full text alone ("slow", "failed"); empty: it was whole."""

    items: Sequence[RecalledMemory] = field(default_factory=list)
    degraded: str = ""

    @property
    def used(self) -> list[RecalledMemory]:
        return [item for item in self.items if not item.was_cut]
