"""The figures of a pair that the fitted model weighs."""

from __future__ import annotations

from dataclasses import dataclass

from memories.judgement.alignment import Alignment, align
from memories.judgement.frames import COMPARISON, tense
from memories.judgement.reading import Reading, Term
from memories.judgement.second_opinion import compare, compare_words

NAMES = (
    "coverage",
    "closeness",
    "second",
    "rest_likeness",
    "loose_weight",
    "across",
    "one_sided",
    "extra",
    "other_concepts",
    "substituted",
)


COPULAS = frozenset("是 为 叫 姓 be run have must should".split())
UNNAMING = frozenset("the a an my our user 's 用户 我 我们 他 她 用户的 all".split())


@dataclass(frozen=True)
class Signals:
    """`coverage`: shared weight, 0..1. `closeness`: the vector's cosine, 0 at the nominating threshold and 1 at 1.

    `second`: cosine of the second opinion. `rest_likeness`: cosine of what is left on both sides. `loose_weight`:
    how much is left. `across`: two languages. `one_sided`: only one side has something left, `extra` its weight. `other_concepts`: how
    many words that the lists know as different things stand against each other. `substituted`: the sentences are the
    same but for one place, as "likes Python" and "likes Java" are.
    """

    coverage: float
    closeness: float
    second: float
    rest_likeness: float
    loose_weight: float
    across: float
    one_sided: float
    extra: float
    other_concepts: float
    substituted: float

    def row(self) -> list[float]:
        return [getattr(self, name) for name in NAMES]


@dataclass(frozen=True)
class Pair:
    """Two statements, read and aligned."""

    new: Reading
    old: Reading
    alignment: Alignment

    @property
    def is_across(self) -> bool:
        return self.new.is_chinese != self.old.is_chinese

    @property
    def polarity_differs(self) -> bool:
        """An odd number of turns: negations on both sides and words of opposite meaning."""
        return (self.new.negations + self.old.negations + len(self.alignment.opposed)) % 2 == 1


def compare_statements(new: Reading, old: Reading) -> Pair:
    return Pair(new, old, align(new, old, compare_words))


def measure(pair: Pair, closeness: float) -> Signals:
    new_rest, old_rest = pair.alignment.new_rest, pair.alignment.old_rest
    return Signals(
        coverage=pair.alignment.coverage,
        closeness=closeness,
        second=compare(pair.new.text, pair.old.text) or 0.0,
        rest_likeness=compare_rests(new_rest, old_rest),
        loose_weight=min(pair.alignment.rest_weight, 4.0),
        across=float(pair.is_across),
        one_sided=float(bool(new_rest) != bool(old_rest)),
        extra=0.0 if new_rest and old_rest else min(pair.alignment.rest_weight, 4.0),
        other_concepts=float(min(*(sum(term.is_known for term in rest) for rest in (new_rest, old_rest)))),
        substituted=float(bool(new_rest and old_rest) and is_substitution(pair.new.forms, pair.old.forms)),
    )


def compare_rests(new_rest: tuple[Term, ...], old_rest: tuple[Term, ...]) -> float:
    if not new_rest or not old_rest:
        return 0.0 if new_rest or old_rest else 1.0
    return compare(" ".join(term.text for term in new_rest), " ".join(term.text for term in old_rest)) or 0.0


def is_substitution(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    """Whether two sentences differ in one run of words only, at most half of the shorter one."""
    shorter = min(len(new), len(old))
    head = next((place for place in range(shorter) if new[place] != old[place]), shorter)
    tail = next((place for place in range(shorter - head) if new[-1 - place] != old[-1 - place]), shorter - head)
    return shorter - head - tail <= shorter / 2 and head + tail < max(len(new), len(old))


def find_vetoes(pair: Pair) -> list[str]:
    """Why the two can't be one fact, whatever their cosine. Empty: nothing speaks against it."""
    alignment = pair.alignment
    names = [term for term in (*alignment.new_rest, *alignment.old_rest) if term.is_name]
    vetoes = {
        "other_value": bool(alignment.clashing),
        "other_subject": has_other_subject(pair),
        "numbers": bool(alignment.new_numbers or alignment.old_numbers),
        "negation": pair.polarity_differs,
        "names": bool(names),
        "time": tense(pair.new.text) != tense(pair.old.text) and not both_open(pair),
        "order": is_turned_round(pair),
        "nothing_shared": not alignment.matched and not pair.new.quantities,
    }
    return [reason for reason, holds in vetoes.items() if holds]


def has_other_subject(pair: Pair) -> bool:
    """A relative of one statement is missing in the other, or what stands before "is" is another thing."""
    if any(term.group == "kin" for term in (*pair.alignment.new_rest, *pair.alignment.old_rest)):
        return True
    new, old = find_head(pair.new.forms), find_head(pair.old.forms)
    if not new or not old or pair.is_across:
        return False
    new_only, old_only = set(new) - set(old), set(old) - set(new)
    agreed = {a.text for pair_ in pair.alignment.matched for a in pair_}
    return bool(new_only - agreed) and bool(old_only - agreed) and bool(set(new) & set(old))


def find_head(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The words before the first copula, without those that name no thing; empty where there is none."""
    place = next((place for place, form in enumerate(forms) if form in COPULAS), 0)
    return tuple(form for form in forms[:place] if form not in UNNAMING)


def both_open(pair: Pair) -> bool:
    """ "plans to" and "is going to" are not always told apart from the present; the past is."""
    return {tense(pair.new.text), tense(pair.old.text)} <= {"present", "future"} and not pair.alignment.rest_weight > 1


def is_turned_round(pair: Pair) -> bool:
    """ "tabs over spaces" and "spaces over tabs": a comparison whose sides change places."""
    if not (COMPARISON.search(pair.new.text) and COMPARISON.search(pair.old.text)):
        return False
    new_order = [term.concept for term in pair.new.terms]
    places = [
        new_order.index(a.concept)
        for a, b in sorted(pair.alignment.matched, key=lambda ab: pair.old.terms.index(ab[1]))
        if a.concept in new_order
    ]
    values = [place for place in places if pair.new.terms[place].group or pair.new.terms[place].is_name]
    return values != sorted(values)
