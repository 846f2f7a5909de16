"""The judgement itself: signals in, verdict out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.judgement.normalising import normalise
from memories.judgement.verdicts import Statement, Verdict
from xiajiao.embeddings.base import Calibration

RANKS = {"ignore": 3, "reinforce": 2, "supersede": 1, "add": 0}


def judge(new: Statement, old: Statement, cosine: float | None, calibration: Calibration | None = None) -> Verdict:
    """What to do with `new` in the face of `old`.

    `cosine`: of their vectors as stored passages; None when the embedder is down: then only nearly identical wording
    counts as the same. `calibration`: the figures of the model that made the cosine; None: the cosine is not used.
    """
    if normalise(new.text) == normalise(old.text):
        return Verdict("ignore", 1.0, {"rule": "same_text"})
    numbers_agree = sorted(re.findall(r"\d+", new.text)) == sorted(re.findall(r"\d+", old.text))
    if cosine is not None and calibration is not None and cosine >= calibration.nominate and numbers_agree:
        if cosine >= 0.98:
            return Verdict("reinforce", cosine, {"rule": "same_fact", "cosine": cosine})
    return Verdict("add", 0.0, {"rule": "not_the_same"})


def pick_best(verdicts: Sequence[Verdict]) -> int | None:
    """The place of the verdict to act on, or None when all of them say "add".

    Same text before same fact, same fact before changed value, then the most confident.
    """
    places = [place for place, verdict in enumerate(verdicts) if verdict.action != "add"]
    return max(places, key=lambda place: (RANKS[verdicts[place].action], verdicts[place].confidence), default=None)
