"""Counts of what the write gate did with texts whose truth is known, and the rates they make."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MERGED = ("reinforced", "ignored")


@dataclass
class PairTally:
    """`actions[label, action]`: S same fact, R related, C contradiction or changed value, U unrelated."""

    actions: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, label: str, action: str) -> None:
        self.actions[label, action] += 1

    def count(self, labels: str, actions: tuple[str, ...] = ()) -> int:
        """Of these labels, how many with these actions; without any, how many there are."""
        rows = self.actions.items()
        return sum(n for (label, action), n in rows if label in labels and (not actions or action in actions))

    def rates(self) -> dict[str, float | int | None]:
        shares = {
            "false_merge": ("false_merge_rate", self.count("RCU", MERGED), self.count("RCU")),
            "false_supersede": ("false_supersede_rate", self.count("RU", ("superseded",)), self.count("RU")),
            "duplicate": ("duplicate_recall", self.count("S", MERGED), self.count("S")),
            "contradiction": ("contradiction_superseded", self.count("C", ("superseded",)), self.count("C")),
        }
        rates: dict[str, float | int | None] = {}
        for name, (key, hits, total) in shares.items():
            rates |= {key: share(hits, total), f"{name}_count": hits, f"{name}_of": total}
        return rates

    def __add__(self, other: PairTally) -> PairTally:
        return PairTally(self.actions + other.actions)


@dataclass
class EvidenceTally:
    """Messages that a later question needs: `inactive` say nothing any more, `lost` stand in no revision either."""

    evidence: int = 0
    inactive: int = 0
    lost: int = 0

    def rates(self) -> dict[str, float | int | None]:
        return {
            "evidence_inactive": share(self.inactive, self.evidence),
            "evidence_inactive_count": self.inactive,
            "evidence_lost": share(self.lost, self.evidence),
            "evidence_lost_count": self.lost,
            "evidence_of": self.evidence,
        }


def share(hits: int, total: int) -> float | None:
    """None where there was nothing to count."""
    return round(hits / total, 4) if total else None
