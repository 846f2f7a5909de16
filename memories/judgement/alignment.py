"""Which parts of two statements answer each other, and what is left on either side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memories.judgement.attributes import differ_in_side, feeling, is_class_of, is_end, is_end_of, is_of_kind
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
NEGATED = re.compile(r"[不没无未非]|(?:no|not|non|never|without)\b|un(?!i|der)")
T = TypeVar("T")
ONCE = Quantity("times", "1")
Similarities = Callable[[Sequence[str], Sequence[str]], list[list[float]]]


@dataclass(frozen=True)
class Alignment:
    """`matched`: pairs that say the same, `opposed`: the opposite, `clashing`: another thing of the same class.

    `kinds`: a kind and a thing of that kind. `agreed`: how many quantities do.
    `implied`: words that only name the class of what matched.
    `new_rest`, `old_rest`: what has no counterpart. `new_numbers`, `old_numbers`: quantities that don't agree.
    """

    matched: tuple[tuple[Term, Term], ...]
    opposed: tuple[tuple[Term, Term], ...]
    clashing: tuple[tuple[Term, Term], ...]
    kinds: tuple[tuple[Term, Term], ...]
    agreed: int
    implied: tuple[Term, ...]
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
        matched = 2 * (self.shared_weight + self.agreed)
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
    endings = take_pairs(new_terms, old_terms, lambda a, b: is_end_of(a, b) or is_end_of(b, a))
    same += match_by_meaning(new_terms, old_terms, similarities)
    same += match_rests(new_terms, old_terms, similarities)
    implied = take_implied(new_terms, same) + take_implied(old_terms, same)
    endings += take_ended_verb(new_terms, old_terms) if same else []
    new_numbers, old_numbers = list(new.quantities), list(old.quantities)
    agreed = take_pairs(new_numbers, old_numbers, lambda a, b: a.agrees(b))
    drop_single_times(new_numbers, old_numbers)
    return Alignment(
        matched=tuple(pair for pair in same if pair[0].sign == pair[1].sign),
        opposed=(*(pair for pair in same if pair[0].sign != pair[1].sign), *feelings, *endings),
        clashing=tuple(clashing),
        kinds=tuple(kinds),
        agreed=len(agreed),
        implied=tuple(implied),
        new_rest=tuple(new_terms),
        old_rest=tuple(old_terms),
        new_numbers=tuple(new_numbers),
        old_numbers=tuple(old_numbers),
    )


def drop_single_times(news: list[Quantity], olds: list[Quantity]) -> None:
    """ "once a year" is "yearly", unless the other one says how many times."""
    for numbers, others in ((news, list(olds)), (olds, list(news))):
        if not any(other.dimension == ONCE.dimension for other in others):
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


def take_implied(terms: list[Term], matched: Sequence[tuple[Term, Term]]) -> list[Term]:
    """Takes the words out that say no more than a matched thing says: "framework" beside Vue."""
    implied = [word for word in terms if any(is_class_of(word, thing) for thing, _ in matched)]
    terms[:] = [word for word in terms if word not in implied]
    return implied


def take_ended_verb(news: list[Term], olds: list[Term]) -> list[tuple[Term, Term]]:
    """ "left the choir" ends "sings in the choir": all that is left is the end and, on the other side, one verb."""
    if len(news) != 1 or len(olds) != 1 or is_end(news[0]) == is_end(olds[0]):
        return []
    state = olds[0] if is_end(news[0]) else news[0]
    if state.weight < 1 or state.group not in ("", "art", "sport") or state.is_name or feeling(state):
        return []
    return [(news.pop(), olds.pop())]


def match_rests(news: list[Term], olds: list[Term], similarities: Similarities) -> list[tuple[Term, Term]]:
    """All that is left on both sides, where it means the same as a whole: 鞋码 and "shoe size"."""
    if (
        not news
        or not olds
        or len(news) + len(olds) > PHRASE
        or any(term.is_name or term.group for term in news + olds)
        or not all(may_match(a, b) for a in news for b in olds)
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


def differ_in_negation(a: Term, b: Term) -> bool:
    """ "siblings" and "no siblings": near in what they are about, and the opposite of each other."""
    return bool(NEGATED.match(a.text)) != bool(NEGATED.match(b.text))


def may_match(a: Term, b: Term) -> bool:
    """Two names, and two known things of a class, are only what they are."""
    are_things = bool(a.group and b.group) or (a.is_name and b.is_name)
    return not are_things and not differ_in_negation(a, b) and not differ_in_side(a, b)


def match_by_meaning(news: list[Term], olds: list[Term], similarities: Similarities) -> list[tuple[Term, Term]]:
    """Words of like meaning, the nearest first."""
    new_words, old_words = list(news), list(olds)
    if not new_words or not old_words:
        return []
    table = similarities([term.text for term in new_words], [term.text for term in old_words])
    scored = [(table[i][j], a, b) for i, a in enumerate(new_words) for j, b in enumerate(old_words)]
    pairs = []
    for score, a, b in sorted(scored, key=lambda row: -row[0]):
        is_near = score >= (ALIKE_VALUES if need_nearness(a, b) else ALIKE)
        if is_near and a in news and b in olds and may_match(a, b):
            pairs.append((a, b))
            news.remove(a)
            olds.remove(b)
    return pairs
