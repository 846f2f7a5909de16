"""Whether two proposals say the same, in whatever words."""

from __future__ import annotations

import numpy as np

from memories.drafts import hash_content
from memories.gate import Offer
from memories.indexing import embed
from memories.judgement import Statement, judge
from memories.models import PendingWrite

SAME = {"ignore", "reinforce"}


def says_same(offer: Offer, pending: PendingWrite) -> bool:
    """As the write gate judges. Waits for the embedder."""
    if pending.text_hash == hash_content(offer.draft.content):
        return True
    mine, theirs = offer.embedded, embed(pending.text)
    cosine = float(np.dot(mine.vector, theirs.vector)) if mine and theirs and mine.model == theirs.model else None
    new = Statement(offer.draft.content, offer.draft.category)
    old = Statement(pending.text, pending.draft["category"])
    return judge(new, old, cosine, mine.calibration if mine else None).action in SAME
