"""Pairs that the gate lets stand side by side, but that a person should look at: nearly the same, or hardly both true.

Of the labelled pairs in memories/evaluation/pairs (most are chosen to be hard) the gate lets 788 stand side by side.
Shown of those are 37 of 62 same facts, 29 of 542 related pairs (19 because one says all that the other says and more),
none of 141 unrelated ones, and 3 of 43 contradictions; the other 40 look just like related pairs. The 504 that the gate
replaces are shown where both were kept all the same: after an import that restores rows, or an edit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from memories.judgement.changes import find_change, may_change
from memories.judgement.guards import find_vetoes
from memories.judgement.judge import LONGEST, find_closeness
from memories.judgement.likelihood import ENOUGH, likelihood_of_same
from memories.judgement.normalising import normalise
from memories.judgement.pairs import Pair, compare_statements
from memories.judgement.reading import read
from memories.judgement.signals import measure
from memories.judgement.verdicts import Statement
from xiajiao.embeddings.base import Calibration

# From here on two statements against which nothing speaks may be one: 12 same facts of the labelled ones, 8 related.
PERHAPS = 0.2
# A single guard that speaks against what would else surely be one fact, and is mistaken now and then.
NARROW = 0.7
NARROW_VETOES = frozenset({"other_subject", "time", "order", "says_more"})
# One denies what the other says, or tells that it has changed.
DENYING_VETOES = frozenset({"negation", "change"})
DENIED = 0.35
# Of what is farther apart nothing is shown (see judge.FAR), and comparing words costs some milliseconds.
FAR = -1.0


@dataclass(frozen=True)
class Doubt:
    """`score`: 0..1, comparable within a kind. `reason`: as in a Verdict."""

    kind: Literal["duplicate", "contradiction"]
    score: float
    reason: dict[str, Any] = field(default_factory=dict)


def find_doubt(new: Statement, old: Statement, cosine: float, calibration: Calibration) -> Doubt | None:
    """What is doubtful about two memories that both count; None where both may well stand."""
    if normalise(new.text) == normalise(old.text):
        return Doubt("duplicate", 1.0, {"rule": "same_text"})
    if max(len(new.text), len(old.text)) > LONGEST or never_meet(new, old):
        return None
    texts = [text.encode(errors="ignore").decode() for text in (new.text, old.text)]
    if cosine < far_cosine(calibration):
        return None
    pair = compare_statements(*map(read, texts))
    closeness = find_closeness(pair, cosine, calibration)
    if closeness is None or closeness < FAR:
        return None
    reason: dict[str, Any] = {"cosine": round(cosine, 4), "coverage": round(pair.alignment.coverage, 3)}
    vetoes = find_vetoes(pair)
    likelihood = likelihood_of_same(measure(pair, closeness)) if len(vetoes) < 2 else 0.0
    if not vetoes and likelihood >= ENOUGH:
        return Doubt("duplicate", likelihood, {"rule": "same_fact", "likelihood": round(likelihood, 3), **reason})
    change = find_change(pair) if may_change(pair, new.category, old.category) else None
    if change is not None:
        return Doubt("contradiction", pair.alignment.coverage, {"rule": change, "vetoes": vetoes, **reason})
    reason |= {"vetoes": vetoes, "likelihood": round(likelihood, 3)}
    return judge_narrowly(pair, likelihood, reason)


def judge_narrowly(pair: Pair, likelihood: float, reason: dict[str, Any]) -> Doubt | None:
    vetoes = set(reason["vetoes"])
    if not vetoes and likelihood >= PERHAPS:
        return Doubt("duplicate", likelihood, {"rule": "not_sure", **reason})
    if vetoes and vetoes <= NARROW_VETOES and likelihood >= NARROW:
        # Behind those against which nothing speaks.
        return Doubt("duplicate", likelihood * ENOUGH, {"rule": "vetoed", **reason})
    if vetoes and vetoes <= DENYING_VETOES and likelihood >= DENIED:
        return Doubt("contradiction", pair.alignment.coverage * ENOUGH, {"rule": "vetoed", **reason})
    return None


def far_cosine(calibration: Calibration) -> float:
    """Under it no pair of whatever languages is near enough."""
    threshold = min(calibration.nominate, calibration.nominate_across)
    return threshold + FAR * (1 - threshold)


def never_meet(new: Statement, old: Statement) -> bool:
    """Whether one ends before the other begins."""
    return ends_before(new, old) or ends_before(old, new)


def ends_before(earlier: Statement, later: Statement) -> bool:
    return earlier.valid_to is not None and later.valid_from is not None and earlier.valid_to <= later.valid_from
