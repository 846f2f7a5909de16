"""How often a page that follows an answer is brought up to date."""

from __future__ import annotations

from typing import Self

# Rendering in all streams of this process together may take this share of one core.
SHARE = 0.25
SHORTEST, LONGEST = 0.1, 2.0  # seconds
BYTES_A_SECOND = 200_000


class Pace:
    """Counts the pages that follow; the more of them, and the dearer their text is to render, the longer the pause."""

    followers = 0

    def __init__(self) -> None:
        self.cost = 0.0

    def __enter__(self) -> Self:
        Pace.followers += 1
        return self

    def __exit__(self, *args: object) -> None:
        Pace.followers -= 1

    def pause(self, cost: float, size: int) -> float:
        """Seconds until the next update, after one that took `cost` seconds and has `size` characters."""
        self.cost = max(cost, self.cost * 0.8)
        return min(LONGEST, max(SHORTEST, Pace.followers * self.cost / SHARE, size / BYTES_A_SECOND))
