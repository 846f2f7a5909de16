"""Many that wait, decided in one click: those that can't be are passed, and counted by why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memories.approval.deciding import UndecidedError, approve, reject
from memories.drafts import DraftError
from memories.models.pending import PendingWriteQuerySet

# Decided in one click, as each approval may wait for an embedder and no rejection does; and looked at for that.
MOST_APPROVED, MOST_REJECTED, TRIED = 50, 500, 500


@dataclass
class Decided:
    """`left` counts those that could not be, by the code of an UndecidedError or `unfit`; `more` were not looked at."""

    done: int = 0
    left: Counter[str] = field(default_factory=Counter)
    more: int = 0


def decide_many(rows: PendingWriteQuerySet, is_approved: bool) -> Decided:
    """The oldest first."""
    act, most = (approve, MOST_APPROVED) if is_approved else (reject, MOST_REJECTED)
    decided, total = Decided(), rows.count()
    for pending in rows.select_related("agent", "memory")[:TRIED]:
        if decided.done == most:
            break
        try:
            act(pending)
            decided.done += 1
        except UndecidedError as error:
            decided.left[error.code] += 1
        except DraftError:
            decided.left["unfit"] += 1
    decided.more = max(0, total - decided.done - decided.left.total())
    return decided
