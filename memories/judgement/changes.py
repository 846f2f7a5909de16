"""Whether a statement takes another one's place: the same subject and attribute with another value."""

from __future__ import annotations

from memories.judgement.frames import CHANGE, is_single_valued, is_subject, read_attributes, tense
from memories.judgement.quantities import Quantity
from memories.judgement.signals import Pair

# What may be left over beside the value that changed, as a share of all weight.
LOOSE = 0.25


def find_change(pair: Pair) -> str | None:
    """The kind of change ("turned", "other_number", "other_value"), or None: both statements may stand."""
    if is_about_events(pair) or any(is_subject(a) for a, _ in pair.alignment.clashing):
        return None
    numbers = bool(pair.alignment.new_numbers or pair.alignment.old_numbers)
    kinds = [pair.polarity_differs, numbers, bool(pair.alignment.clashing)]
    if sum(kinds) > 1:
        return None
    if pair.polarity_differs:
        return "turned" if is_turned(pair) else None
    if numbers:
        return "other_number" if has_other_number(pair) else None
    return "other_value" if has_other_value(pair) else None


def is_about_events(pair: Pair) -> bool:
    """Something that happened, was planned or used to be: it stays true beside what happens later."""
    tenses = {tense(pair.new.text), tense(pair.old.text)}
    is_change = CHANGE.search(pair.new.text) or CHANGE.search(pair.old.text)
    return "former" in tenses or ("past" in tenses and not is_change) or tenses == {"future", "present"}


def looseness(pair: Pair) -> float:
    """Share of the weight that neither agrees nor is the change itself."""
    rest, shared = pair.alignment.rest_weight, 2 * pair.alignment.shared_weight
    return rest / (rest + shared) if rest + shared else 1.0


def is_turned(pair: Pair) -> bool:
    return looseness(pair) <= LOOSE and not any(
        term.is_name for term in (*pair.alignment.new_rest, *pair.alignment.old_rest)
    )


def has_other_number(pair: Pair) -> bool:
    news, olds = pair.alignment.new_numbers, pair.alignment.old_numbers
    if len(news) != 1 or len(olds) != 1 or looseness(pair) > LOOSE:
        return False
    return is_one_measure(news[0], olds[0]) and (
        is_single_valued(pair.new, pair.old, pair.alignment) or not counts_events(pair)
    )


def is_one_measure(new: Quantity, old: Quantity) -> bool:
    clocks = {"clock", "clock12"}
    is_same = new.dimension == old.dimension or {new.dimension, old.dimension} <= clocks
    return is_same and not new.value.startswith("#")


def counts_events(pair: Pair) -> bool:
    return bool(pair.alignment.concepts & read_attributes()["many"])


def has_other_value(pair: Pair) -> bool:
    alignment = pair.alignment
    if len(alignment.clashing) > 1 or not is_single_valued(pair.new, pair.old, alignment):
        return False
    if alignment.clashing:
        return bool(alignment.matched) and looseness(pair) <= LOOSE
    return is_swapped_name(pair)


def is_swapped_name(pair: Pair) -> bool:
    """One name, and nothing else, is left on each side."""
    new_rest, old_rest = pair.alignment.new_rest, pair.alignment.old_rest
    return (
        len(new_rest) == len(old_rest) == 1
        and new_rest[0].is_name
        and old_rest[0].is_name
        and pair.alignment.shared_weight >= 1
    )
