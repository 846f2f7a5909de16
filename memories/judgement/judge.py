"""The judgement itself: signals in, verdict out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memories.judgement.changes import find_change, may_change
from memories.judgement.guards import find_vetoes
from memories.judgement.likelihood import ENOUGH, likelihood_of_same
from memories.judgement.normalising import normalise
from memories.judgement.pairs import Pair, compare_statements
from memories.judgement.reading import read
from memories.judgement.signals import Signals, measure
from memories.judgement.verdicts import Statement, Verdict
from xiajiao.embeddings.base import Calibration

# A changed value may lie below the threshold that nominates the same fact ("owl" and "early bird", a denial).
FAR = -1.5
# Characters; longer texts say many things, and are compared word for word only.
LONGEST = 400
RANKS = {"ignore": 3, "reinforce": 2, "supersede": 1, "add": 0}


def judge(new: Statement, old: Statement, cosine: float | None, calibration: Calibration | None = None) -> Verdict:
    """What to do with `new` in the face of `old`.

    `cosine`: of their vectors as stored passages; None when the embedder is down: then only nearly identical wording
    counts as the same. `calibration`: the figures of the model that made the cosine; None: the cosine is not used.
    """
    if normalise(new.text) == normalise(old.text):
        return Verdict("ignore", 1.0, {"rule": "same_text"})
    if max(len(new.text), len(old.text)) > LONGEST:
        return Verdict("add", 0.0, {"rule": "too_long", "cosine": cosine})
    # A lone surrogate is no character; the word cutter refuses it.
    texts = [text.encode(errors="ignore").decode() for text in (new.text, old.text)]
    pair = compare_statements(*map(read, texts))
    closeness = find_closeness(pair, cosine, calibration)
    reason: dict[str, Any] = {"cosine": cosine, "coverage": round(pair.alignment.coverage, 3)}
    if closeness is not None and closeness < FAR:
        return Verdict("add", 0.0, {"rule": "not_near", **reason})
    vetoes = find_vetoes(pair)
    verdict = Verdict("add", 0.0, {"rule": "vetoed", "vetoes": vetoes, **reason})
    if not vetoes:
        verdict = judge_same(pair, closeness, reason)
        if verdict.action == "reinforce":
            return verdict
    change = find_change(pair) if may_change(pair, new.category, old.category) else None
    if change is not None:
        return Verdict("supersede", pair.alignment.coverage, {"rule": change, "vetoes": vetoes, **reason})
    return verdict


def judge_same(pair: Pair, closeness: float | None, reason: dict[str, Any]) -> Verdict:
    if closeness is None:
        is_same, likelihood = not pair.alignment.rest_weight and not pair.is_across, pair.alignment.coverage
    else:
        signals: Signals = measure(pair, closeness)
        likelihood = likelihood_of_same(signals)
        is_same = likelihood >= ENOUGH
    if is_same:
        return Verdict("reinforce", likelihood, {"rule": "same_fact", "likelihood": round(likelihood, 3), **reason})
    return Verdict("add", likelihood, {"rule": "not_sure", "likelihood": round(likelihood, 3), **reason})


def find_closeness(pair: Pair, cosine: float | None, calibration: Calibration | None) -> float | None:
    """0 at the threshold that nominates, 1 for equal vectors, below 0 under the threshold; None without figures."""
    if cosine is None or calibration is None:
        return None
    threshold = calibration.nominate_across if pair.is_across else calibration.nominate
    return (cosine - threshold) / (1 - threshold)


def pick_best(verdicts: Sequence[Verdict]) -> int | None:
    """The place of the verdict to act on, or None when all of them say "add".

    Same text before same fact, same fact before changed value, then the most confident.
    """
    places = [place for place, verdict in enumerate(verdicts) if verdict.action != "add"]
    return max(places, key=lambda place: (RANKS[verdicts[place].action], verdicts[place].confidence), default=None)
