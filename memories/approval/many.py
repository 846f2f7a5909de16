"""Many that wait, decided in one click: those that can't be are passed, and counted by why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memories.approval.deciding import UndecidedError, approve, reject
from memories.approval.files import read_draft
from memories.drafts import DraftError
from memories.indexing import embedding_at_once
from memories.models import PendingWrite, Tombstone
from memories.models.pending import PendingWriteQuerySet
from memories.profiles.forgetting import list_sayings
from memories.tombstones import MOST_SAYINGS
from xiajiao.batches import batched

# Decided in one click, as approvals wait for an embedder and no rejection does; and looked at for that.
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
    for lot in batched(rows.select_related("agent", "memory")[:TRIED], MOST_APPROVED):
        if decided.done == most:
            break
        with embedding_at_once(list_texts(lot) if is_approved else ()):
            decide_lot(lot, act, most, decided)
    decided.more = max(0, total - decided.done - decided.left.total())
    return decided


def decide_lot(
    lot: Sequence[PendingWrite], act: Callable[[PendingWrite], PendingWrite], most: int, decided: Decided
) -> None:
    for pending in lot:
        if decided.done == most:
            return
        try:
            act(pending)
            decided.done += 1
        except UndecidedError as error:
            decided.left[error.code] += 1
        except DraftError:
            decided.left["unfit"] += 1


def list_texts(rows: Sequence[PendingWrite]) -> set[str]:
    """What approving these embeds; of a file only what is held against what was forgotten."""
    texts = {row.text for row in rows if not row.is_profile and row.text}
    files = [row for row in rows if row.is_profile and row.text]
    if files and Tombstone.objects.filter(user=files[0].user_id).exclude(vector="").exists():
        texts.update(saying for row in files for saying in list_sayings(read_draft(row).said)[:MOST_SAYINGS])
    return texts
