"""Whether a statement takes another one's place: the same subject and attribute with another value."""

from __future__ import annotations

from memories.judgement.frames import CHANGE, is_single_valued, is_subject, read_attributes, tense
from memories.judgement.quantities import Quantity
from memories.judgement.signals import Pair

# What may be left over beside the value that changed: less than one word that carries weight, on either side.
LOOSE = 1.0


def find_change(pair: Pair) -> str | None:
    """The kind of change ("turned", "other_number", "other_value"), or None: both statements may stand."""
    if is_about_events(pair) or any(is_subject(a) for a, _ in pair.alignment.clashing):
        return None
    if pair.polarity_differs:
        return "turned" if is_turned(pair) else None
    if pair.alignment.new_numbers or pair.alignment.old_numbers:
        return "other_number" if has_other_number(pair) else None
    return "other_value" if has_other_value(pair) else None


def is_about_events(pair: Pair) -> bool:
    """Something that happened, was planned or used to be: it stays true beside what happens later."""
    tenses = {tense(pair.new.text), tense(pair.old.text)}
    is_change = CHANGE.search(pair.new.text) or CHANGE.search(pair.old.text)
    is_denied = pair.polarity_differs and tenses == {"past"}
    return (
        "former" in tenses or ("past" in tenses and not is_change and not is_denied) or tenses == {"future", "present"}
    )


def is_tight(pair: Pair) -> bool:
    """Nothing of weight is left over beside the change, and no other subject."""
    rests = pair.alignment.new_rest, pair.alignment.old_rest
    is_light = all(sum(term.weight for term in rest) < LOOSE for rest in rests)
    return is_light and not any(is_subject(term) or term.is_name for rest in rests for term in rest)


def is_turned(pair: Pair) -> bool:
    """ "none" against a number is a denial too: "has three siblings", "has no siblings"."""
    numbers = pair.alignment.new_numbers + pair.alignment.old_numbers
    if pair.alignment.clashing or (pair.alignment.new_numbers and pair.alignment.old_numbers) or len(numbers) > 1:
        return False
    return is_tight(pair) and pair.alignment.shared_weight > 0


def has_other_number(pair: Pair) -> bool:
    news, olds = pair.alignment.new_numbers, pair.alignment.old_numbers
    if len(news) != 1 or len(olds) != 1 or pair.alignment.clashing or not is_tight(pair):
        return False
    is_counted = not pair.alignment.concepts & read_attributes()["many"]
    return is_one_measure(news[0], olds[0]) and (is_counted or is_single_valued(pair.new, pair.old, pair.alignment))


def is_one_measure(new: Quantity, old: Quantity) -> bool:
    clocks = {"clock", "clock12"}
    is_same = new.dimension == old.dimension or {new.dimension, old.dimension} <= clocks
    return is_same and not new.value.startswith("#")


def has_other_value(pair: Pair) -> bool:
    alignment = pair.alignment
    if not alignment.matched or len(alignment.clashing) > 1 or not is_single_valued(pair.new, pair.old, alignment):
        return False
    return is_tight(pair) if alignment.clashing else is_swapped_word(pair)


def is_swapped_word(pair: Pair) -> bool:
    """One word, and nothing else, is left on each side: a name, a member of a class, or a word no list knows."""
    rests = [
        [term for term in rest if term.weight >= LOOSE] for rest in (pair.alignment.new_rest, pair.alignment.old_rest)
    ]
    if [len(rest) for rest in rests] != [1, 1]:
        return False
    (new,), (old,) = rests
    could_be_values = all(not is_subject(term) and (term.group or not term.is_known) for term in (new, old))
    return could_be_values and not (new.group and old.group) and pair.alignment.shared_weight >= LOOSE
