"""What came of a batch: how many memories were changed, and which were left as they are and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memories.models import BulkChange
from memories.models.bulk import NAMED

# Shared by all users of an agent that is another person's.
NOT_ALLOWED = "not_allowed"
# Deleted meanwhile.
GONE = "gone"
# It was so already.
UNCHANGED = "unchanged"
# An undo leaves alone what somebody changed since.
CHANGED = "changed"


@dataclass(frozen=True)
class Outcome:
    """`skipped`: primary keys by reason."""

    done: int = 0
    skipped: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def add_to(self, change: BulkChange) -> None:
        change.done += self.done
        for reason, ids in self.skipped.items():
            if ids:
                before = change.skipped.get(reason, {"count": 0, "some": []})
                some = [*before["some"], *ids][:NAMED]
                change.skipped[reason] = {"count": before["count"] + len(ids), "some": some}
