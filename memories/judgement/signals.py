"""The figures of a pair that the fitted model weighs."""

from __future__ import annotations

from dataclasses import dataclass

from memories.judgement.pairs import Pair
from memories.judgement.reading import Term
from memories.judgement.second_opinion import compare
from memories.judgement.tokens import HAN

NAMES = (
    "coverage",
    "closeness",
    "second",
    "rest_likeness",
    "loose_weight",
    "across",
    "one_sided",
    "other_concepts",
    "substituted",
)


@dataclass(frozen=True)
class Signals:
    """`coverage`: shared weight, 0..1. `closeness`: the vector's cosine, 0 at the nominating threshold and 1 at 1.

    `second`: cosine of the second opinion. `rest_likeness`: cosine of what is left on both sides. `loose_weight`:
    how much is left. `across`: two languages. `one_sided`: only one side has something left.
    `other_concepts`: how many words that the lists know as different things stand against each other. `substituted`:
    the sentences are the same but for one place, as "likes Python" and "likes Java" are.
    """

    coverage: float
    closeness: float
    second: float
    rest_likeness: float
    loose_weight: float
    across: float
    one_sided: float
    other_concepts: float
    substituted: float

    def row(self) -> list[float]:
        return [getattr(self, name) for name in NAMES]


def measure(pair: Pair, closeness: float) -> Signals:
    new_rest, old_rest = pair.alignment.new_rest, pair.alignment.old_rest
    is_swap = bool(new_rest and old_rest) and is_substitution(units(pair.new.forms), units(pair.old.forms))
    return Signals(
        coverage=pair.alignment.coverage,
        closeness=closeness,
        second=compare(pair.new.text, pair.old.text) or 0.0,
        rest_likeness=compare_rests(new_rest, old_rest),
        loose_weight=min(pair.alignment.rest_weight, 4.0),
        across=float(pair.is_across),
        one_sided=float(bool(new_rest) != bool(old_rest)),
        other_concepts=float(min(*(sum(term.is_known for term in rest) for rest in (new_rest, old_rest)))),
        substituted=float(is_swap),
    )


def compare_rests(new_rest: tuple[Term, ...], old_rest: tuple[Term, ...]) -> float:
    if not new_rest or not old_rest:
        return 0.0 if new_rest or old_rest else 1.0
    return compare(" ".join(term.text for term in new_rest), " ".join(term.text for term in old_rest)) or 0.0


def units(forms: tuple[str, ...]) -> list[str]:
    """Chinese characters and other words: where a Chinese word ends is told differently from sentence to sentence."""
    return [unit for form in forms for unit in (form if HAN.match(form) else [form])]


def is_substitution(new: list[str], old: list[str]) -> bool:
    """Whether two sentences differ in one run of words only, at most half of the shorter one."""
    shorter = min(len(new), len(old))
    head = next((place for place in range(shorter) if new[place] != old[place]), shorter)
    tail = next((place for place in range(shorter - head) if new[-1 - place] != old[-1 - place]), shorter - head)
    return shorter - head - tail <= shorter / 2 and head + tail < max(len(new), len(old))
