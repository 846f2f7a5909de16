"""Two statements side by side."""

from __future__ import annotations

from dataclasses import dataclass

from memories.judgement.alignment import Alignment, align
from memories.judgement.reading import Reading
from memories.judgement.second_opinion import compare_words


@dataclass(frozen=True)
class Pair:
    """Two statements, read and aligned."""

    new: Reading
    old: Reading
    alignment: Alignment

    @property
    def is_across(self) -> bool:
        return self.new.is_chinese != self.old.is_chinese

    @property
    def polarity_differs(self) -> bool:
        """An odd number of turns: negations on both sides and words of opposite meaning."""
        return (self.new.negations + self.old.negations + len(self.alignment.opposed)) % 2 == 1

    @property
    def is_change(self) -> bool:
        """Whether one of the two, and not both, tells of a change."""
        return self.new.is_change != self.old.is_change


def compare_statements(new: Reading, old: Reading) -> Pair:
    return Pair(new, old, align(new, old, compare_words))
