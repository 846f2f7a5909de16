"""What forbids that two statements are one fact, whatever their cosine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from memories.judgement.alignment import Alignment
from memories.judgement.arrangement import differ_throughout, is_rearranged
from memories.judgement.attributes import differ_in_side, is_end
from memories.judgement.frames import PERSON, tense
from memories.judgement.lexicon import load_lexicon
from memories.judgement.pairs import Pair
from memories.judgement.reading import Reading, Term

COPULAS = frozenset("是 为 叫 姓 be run have must should meet start".split())
UNNAMING = frozenset("the a an my our user 's 用户 我 我们 他 她 all".split())
# A word of this weight on one side alone makes a fact of its own, or a part of one.
MORE = 1.0
# Common words together.
MUCH_MORE = 1.8


def find_vetoes(pair: Pair) -> list[str]:
    """Why the two can't be one fact. Empty: nothing speaks against it."""
    alignment = pair.alignment
    rest = (*alignment.new_rest, *alignment.old_rest)
    vetoes = {
        "other_value": bool(alignment.clashing or alignment.kinds)
        or have_other_values(alignment)
        or differ_throughout(pair),
        "other_subject": has_other_subject(pair),
        "numbers": bool(alignment.new_numbers or alignment.old_numbers),
        "negation": pair.polarity_differs or any(a.concept != b.concept for a, b in alignment.opposed),
        "names": any(term.is_name for term in rest),
        "time": tense(pair.new.text) != tense(pair.old.text) and not both_open(pair),
        "change": pair.is_change or any(is_end(term) for term in rest),
        "says_more": says_more(pair),
        "order": is_rearranged(pair),
        "nothing_shared": not alignment.matched and not alignment.opposed and not pair.new.quantities,
    }
    return [reason for reason, holds in vetoes.items() if holds]


def have_other_values(alignment: Alignment) -> bool:
    """Things of two classes without a counterpart ("answers in English", "answers with examples"), or two sides."""
    rests = alignment.new_rest, alignment.old_rest
    return all(any(term.group for term in rest) for rest in rests) or any(
        differ_in_side(a, b) for a, b in product(*rests)
    )


def has_other_subject(pair: Pair) -> bool:
    """A relative of one statement is missing in the other, or what stands before "is" is another thing."""
    if any(term.group == "kin" for term in (*pair.alignment.new_rest, *pair.alignment.old_rest)):
        return True
    if starts_with_rest(pair.new, pair.alignment.new_rest) and starts_with_rest(pair.old, pair.alignment.old_rest):
        return True
    new, old = find_head(pair.new.forms), find_head(pair.old.forms)
    if not new or not old or pair.is_across:
        return False
    agreed = {term.text for matched in (*pair.alignment.matched, pair.alignment.implied) for term in matched}
    new_only, old_only = set(new) - set(old) - agreed, set(old) - set(new) - agreed
    return all(any(weighs(form) for form in forms) for forms in (new_only, old_only))


def says_more(pair: Pair) -> bool:
    """Whether one says all that the other says, and a word of its own that is no common filler."""
    new_rest, old_rest = pair.alignment.new_rest, pair.alignment.old_rest
    if new_rest and old_rest:
        return False
    rest = (*new_rest, *old_rest)
    own = sum(term.weight for term in rest if not term.is_known)
    is_negative = any(term.sign < 0 and term.weight >= MORE for term in rest)
    return is_negative or own >= MORE or sum(term.weight for term in rest) >= MUCH_MORE


def starts_with_rest(reading: Reading, rest: Sequence[Term]) -> bool:
    """Whether a statement that is of no person begins with a word that has no partner."""
    if PERSON.search(reading.text) or not rest or not reading.forms or reading.terms[0] not in rest:
        return False
    start = next((form for form in reading.forms if form not in UNNAMING), "")
    return bool(start) and reading.terms[0].text.startswith(start[:2])


def weighs(form: str) -> bool:
    entry = load_lexicon().entries.get(form)
    return entry is None or entry.weight > 0 or entry.concept == "light:项目"


def find_head(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The words before the first copula, without those that name no thing; empty where there is none."""
    place = next((place for place, form in enumerate(forms) if form in COPULAS), 0)
    return tuple(form for form in forms[:place] if form not in UNNAMING)


def both_open(pair: Pair) -> bool:
    """ "plans to" and "is going to" are not always told apart from the present; the past is."""
    return {tense(pair.new.text), tense(pair.old.text)} <= {"present", "future"} and pair.alignment.rest_weight <= 1
