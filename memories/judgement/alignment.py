"""Which parts of two statements answer each other, and what is left on either side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memories.judgement.attributes import feeling, is_of_kind
from memories.judgement.quantities import Quantity
from memories.judgement.reading import Reading, Term
from memories.judgement.tokens import HAN

# Cosine of two words (use): synonyms and translations lie at .8 and above, things of one kind at .45 to .65
# ("piano" and "guitar" .49, "garlic" and "onions" .61, "teacher" and 老师 .81, "dentist" and 牙医 .86).
ALIKE = 0.72
# A name, or a thing of a known class, is another word only where that is but another spelling (TV, television):
# what is listed in no class beside it is mostly a thing of the same class ("dumplings" and "wontons").
ALIKE_VALUES = 0.86
# More words than this on both sides together are compared as a sentence, not as a phrase.
PHRASE = 4
T = TypeVar("T")
ONCE = Quantity("times", "1")
Similarities = Callable[[Sequence[str], Sequence[str]], list[list[float]]]


@dataclass(frozen=True)
class Alignment:
    """`matched`: pairs that say the same, `opposed`: the opposite, `clashing`: another thing of the same class.

    `kinds`: a kind and a thing of that kind. `new_rest`, `old_rest`: what has no counterpart. `new_numbers`,
    `old_numbers`: quantities that don't agree.
    """

    matched: tuple[tuple[Term, Term], ...]
    opposed: tuple[tuple[Term, Term], ...]
    clashing: tuple[tuple[Term, Term], ...]
    kinds: tuple[tuple[Term, Term], ...]
    new_rest: tuple[Term, ...]
    old_rest: tuple[Term, ...]
    new_numbers: tuple[Quantity, ...]
    old_numbers: tuple[Quantity, ...]

    @property
    def shared_weight(self) -> float:
        return sum(min(a.weight, b.weight) for a, b in (*self.matched, *self.opposed))

    @property
    def rest_weight(self) -> float:
        return sum(term.weight for term in (*self.new_rest, *self.old_rest))

    @property
    def coverage(self) -> float:
        """0..1: how much of the weight of both statements has a counterpart, be it the opposite."""
        matched = 2 * self.shared_weight
        loose = self.rest_weight + sum(a.weight + b.weight for a, b in (*self.clashing, *self.kinds))
        return matched / (matched + loose) if matched + loose else 1.0

    @property
    def concepts(self) -> frozenset[str]:
        return frozenset(a.concept for a, _ in self.matched)


def align(new: Reading, old: Reading, similarities: Similarities) -> Alignment:
    new_terms, old_terms = distinct(new.terms), distinct(old.terms)
    same = take_pairs(new_terms, old_terms, lambda a, b: a.concept == b.concept)
    kinds = take_pairs(new_terms, old_terms, lambda a, b: is_of_kind(a, b) or is_of_kind(b, a))
    clashing = take_pairs(new_terms, old_terms, lambda a, b: bool(a.group) and a.group == b.group)
    feelings = take_pairs(new_terms, old_terms, lambda a, b: feeling(a) * feeling(b) < 0)
    same += match_by_meaning(new_terms, old_terms, similarities)
    same += match_rests(new_terms, old_terms, similarities)
    new_numbers, old_numbers = list(new.quantities), list(old.quantities)
    take_pairs(new_numbers, old_numbers, lambda a, b: a.agrees(b))
    drop_single_times(new_numbers, old_numbers)
    return Alignment(
        matched=tuple(pair for pair in same if pair[0].sign == pair[1].sign),
        opposed=(*(pair for pair in same if pair[0].sign != pair[1].sign), *feelings),
        clashing=tuple(clashing),
        kinds=tuple(kinds),
        new_rest=tuple(new_terms),
        old_rest=tuple(old_terms),
        new_numbers=tuple(new_numbers),
        old_numbers=tuple(old_numbers),
    )


def drop_single_times(news: list[Quantity], olds: list[Quantity]) -> None:
    """ "once a year" is "yearly", unless the other one says how many times."""
    if not news or not olds:
        for numbers in (news, olds):
            numbers[:] = [number for number in numbers if number != ONCE]


def distinct(terms: Sequence[Term]) -> list[Term]:
    """Each concept once: what is said twice in one statement is no more than what is said once."""
    return list({(term.concept, term.sign): term for term in terms}.values())


def take_pairs(news: list[T], olds: list[T], is_pair: Callable[[T, T], bool]) -> list[tuple[T, T]]:
    """Takes each element of `news` that has a partner, and the partner, out of their lists."""
    pairs = []
    for new in list(news):
        old = next((old for old in olds if is_pair(new, old)), None)
        if old is not None:
            pairs.append((new, old))
            news.remove(new)
            olds.remove(old)
    return pairs


def match_rests(news: list[Term], olds: list[Term], similarities: Similarities) -> list[tuple[Term, Term]]:
    """All that is left on both sides, where it means the same as a whole: 鞋码 and "shoe size"."""
    if (
        not news
        or not olds
        or len(news) + len(olds) > PHRASE
        or any(term.is_name or term.group for term in news + olds)
    ):
        return []
    new, old = (replace(terms[0], text=" ".join(term.text for term in terms)) for terms in (news, olds))
    if {new.sign for new in news} | {old.sign for old in olds} != {1} or similarities([new.text], [old.text])[0][
        0
    ] < ALIKE:
        return []
    news.clear()
    olds.clear()
    return [(new, replace(old, concept=new.concept))]


def need_nearness(a: Term, b: Term) -> bool:
    if a.is_name or b.is_name or differ_in_one_character(a, b):
        return True
    is_one_language = bool(HAN.search(a.text)) == bool(HAN.search(b.text))
    return is_one_language and bool(a.group or b.group)


def differ_in_one_character(a: Term, b: Term) -> bool:
    """浓茶 and 淡茶: the words are near because of what they share; what they don't share tells them apart."""
    return len(a.text) == len(b.text) == 2 and len(set(a.text) & set(b.text)) == 1


def match_by_meaning(news: list[Term], olds: list[Term], similarities: Similarities) -> list[tuple[Term, Term]]:
    """Words of like meaning, the nearest first. Two names, and two known things of a class, are only what they are."""
    new_words, old_words = list(news), list(olds)
    if not new_words or not old_words:
        return []
    table = similarities([term.text for term in new_words], [term.text for term in old_words])
    scored = [(table[i][j], a, b) for i, a in enumerate(new_words) for j, b in enumerate(old_words)]
    pairs = []
    for score, a, b in sorted(scored, key=lambda row: -row[0]):
        is_near = score >= (ALIKE_VALUES if need_nearness(a, b) else ALIKE)
        if is_near and a in news and b in olds and not (a.group and b.group) and not (a.is_name and b.is_name):
            pairs.append((a, b))
            news.remove(a)
            olds.remove(b)
    return pairs
