"""Which pairs that the judge lets stand side by side a chat model may be asked about, and what it may answer.

What a guard forbids stays forbidden: a model that says "the same" where numbers, names, times or subjects differ is
not listened to, and nothing that is said of one person ends what is said of another.
"""

from __future__ import annotations

from collections.abc import Collection

from memories.judgement.doubts import PERHAPS, far_cosine, never_meet
from memories.judgement.frames import tense
from memories.judgement.guards import find_vetoes
from memories.judgement.judge import LONGEST, find_closeness
from memories.judgement.likelihood import likelihood_of_same
from memories.judgement.normalising import normalise
from memories.judgement.pairs import Pair, compare_statements
from memories.judgement.reading import read
from memories.judgement.signals import measure
from memories.judgement.verdicts import Answer, Statement
from xiajiao.embeddings.base import Calibration

NOTHING: frozenset[Answer] = frozenset()
# Coverage under which two that aren't near either have nothing to do with each other. Of the labelled pairs that the
# gate lets stand, 32 of 43 contradictions, 47 of 63 same facts, 386 of 542 related and 6 of 141 unrelated are asked
# about; "same" may be said of 12 same facts and 8 related.
LITTLE = 0.3


def find_permitted(
    new: Statement, old: Statement, cosine: float | None, calibration: Calibration | None
) -> frozenset[Answer]:
    """What a model may say of two statements that both would stand; empty: it isn't asked.

    "same" only where no guard speaks against it. "replaces" never of what has happened: that stays true.
    """
    if cosine is None or calibration is None or cosine < far_cosine(calibration) or never_meet(new, old):
        return NOTHING
    if max(len(new.text), len(old.text)) > LONGEST or normalise(new.text) == normalise(old.text):
        return NOTHING
    texts = [text.encode(errors="ignore").decode() for text in (new.text, old.text)]
    pair = compare_statements(*map(read, texts))
    closeness, vetoes = find_closeness(pair, cosine, calibration), set(find_vetoes(pair))
    if closeness is None or "other_subject" in vetoes or have_little_in_common(pair, closeness, vetoes):
        return NOTHING
    answers: set[Answer] = set()
    if not vetoes and likelihood_of_same(measure(pair, closeness)) >= PERHAPS:
        answers.add("same")
    if not has_happened(old, pair.old.text):
        answers.add("replaces")
    return frozenset(answers | {"both"}) if answers else NOTHING


def has_happened(old: Statement, text: str) -> bool:
    return old.category == "episodic" and tense(text) in {"past", "former"}


def have_little_in_common(pair: Pair, closeness: float, vetoes: Collection[str]) -> bool:
    """Unless they are near, and are two values of one kind or the new one tells of a change."""
    if "nothing_shared" in vetoes:
        return closeness < 0 or not (pair.new.is_change or pair.alignment.clashing)
    return closeness < 0 and pair.alignment.coverage < LITTLE
