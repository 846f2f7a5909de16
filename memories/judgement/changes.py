"""Whether a statement takes another one's place: the same subject and attribute with another value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.judgement.alignment import Alignment
from memories.judgement.arrangement import is_rearranged
from memories.judgement.attributes import feeling, is_ending, is_of_kind, is_subject, read_attributes
from memories.judgement.changing import CHANGE_VERBS
from memories.judgement.employment import is_other_employment
from memories.judgement.frames import COPULA, PERSON, is_single_valued, tense
from memories.judgement.guards import has_other_subject
from memories.judgement.pairs import Pair
from memories.judgement.quantities import Quantity
from memories.judgement.reading import Reading, Term

# Weight under which what is left over beside a change says nothing of its own.
LOOSE = 1.0
# What an affirmed statement may say beyond a plain denial of it ("coffee every morning" against "no coffee").
DETAIL = 2.5
NUMBERED_SUBJECT = re.compile(
    r"[^是为有在]*(?:\d|[一二三四五六七八九十]+号?[楼栋座室班组区层])[^是为有在]*[是为有在]"
    r"|[^.]*?\d[^.]*? (?:is|are|has|have|runs?|needs?|uses?|supports?)\b"
)
# What is said to be so as well ends nothing.
BESIDE = re.compile(r"(?:也|还|又)在|另外|兼职|\balso\b")
# "scared of thunder" against "loves listening to thunder".
BESIDE_FEELING = 1.5
# Words of a value that is more than one word.
PHRASE = 3
TIME_GROUPS = frozenset({"weekday", "daypart", "relative time"})
TIME_DIMENSIONS = frozenset({"clock", "clock12", "date", "day", "month"})
# The words by which a statement says that something changed; they have no partner in the one before the change.
CHANGING = frozenset(
    {"swapped", "traded", "became", "become", "换", "住", "工作", "开始", "升级", "迁移", "已经有", "买"}
)


def may_change(pair: Pair, new_category: str, old_category: str) -> bool:
    """Whether one may end the other, as far as their categories go: what happened stays true.

    A plan may be given up, and what tells of a change ("moved to Porto") ends what was so before, be that an earlier
    change of the person's.
    """
    is_plan = tense(pair.old.text) == "future"
    are_states = pair.new.is_change and pair.old.is_change and all(map(PERSON.search, (pair.new.text, pair.old.text)))
    if old_category == "episodic" and not (is_plan or (are_states and tense(pair.old.text) == "present")):
        return False
    return new_category != "episodic" or pair.new.is_change or (is_plan and pair.polarity_differs)


def find_change(pair: Pair) -> str | None:
    """ "turned", "other_time", "other_number", "other_value", or None: both statements may stand."""
    if is_about_events(pair) or has_other_subject(pair) or is_rearranged(pair) or BESIDE.search(pair.new.text):
        return None
    if pair.polarity_differs:
        return "turned" if is_turned(pair) else None
    if is_other_employment(pair):
        return "other_value"
    if has_other_time(pair):
        return "other_time"
    if any(is_subject(a) for a, _ in pair.alignment.clashing):
        return None
    if pair.alignment.new_numbers or pair.alignment.old_numbers:
        return "other_number" if has_other_number(pair) else None
    return "other_value" if has_other_value(pair) else None


def is_about_events(pair: Pair) -> bool:
    """Something that happened, was planned or used to be: it stays true beside what happens later."""
    tenses = {tense(pair.new.text), tense(pair.old.text)}
    if pair.is_change:
        return "former" in tenses
    is_denied = (pair.new.negations + pair.old.negations) % 2 == 1 and tenses == {"past"}
    return "former" in tenses or ("past" in tenses and not is_denied) or tenses == {"future", "present"}


def is_changing(term: Term) -> bool:
    return term.concept in CHANGING or term.text in CHANGE_VERBS


def has_weight(rest: Sequence[Term], reading: Reading, limit: float = LOOSE) -> bool:
    """Whether what is left of a statement says something of its own; a change's own verb does not."""
    counted = [term for term in rest if not (reading.is_change and is_changing(term))]
    return sum(term.weight for term in counted) >= limit or any(term.is_name for term in counted)


def is_tight(pair: Pair, ignored: frozenset[str] = frozenset(), detail: float = LOOSE) -> bool:
    """Nothing of weight is left over beside the change, and no other subject. `detail`: what is allowed before it."""
    for rest, reading in ((pair.alignment.new_rest, pair.new), (pair.alignment.old_rest, pair.old)):
        counted = [term for term in rest if term.group not in ignored]
        limit = LOOSE if reading.is_change else detail
        if has_weight(counted, reading, limit) or any(is_subject(term) for term in counted):
            return False
    return True


def is_turned(pair: Pair) -> bool:
    """The one denies the other. A plain denial denies what is said in more detail too, not the other way round."""
    alignment = pair.alignment
    if alignment.shared_weight == 0 and not is_general_denial(pair):
        return False
    if alignment.new_numbers and alignment.old_numbers:
        return False
    if alignment.clashing or (alignment.kinds and not is_general_denial(pair)):
        return False
    denied, affirmed = (alignment.new_rest, alignment.old_rest)
    readings = pair.new, pair.old
    if pair.old.negations % 2 or any(is_ending(old) for _, old in alignment.opposed):
        denied, affirmed, readings = affirmed, denied, (pair.old, pair.new)
    elif not pair.new.negations % 2 and not any(is_ending(new) for new, _ in alignment.opposed):
        return is_tight(pair, detail=BESIDE_FEELING if is_about_one_thing(alignment) else LOOSE)
    is_plain = not has_weight(denied, readings[0]) and not any(is_subject(term) for term in denied)
    has_detail_only = not has_weight(affirmed, readings[1], DETAIL) and not any(
        is_subject(term) and term.group not in TIME_GROUPS for term in affirmed
    )
    return is_plain and has_detail_only and not denies_number(pair)


def is_about_one_thing(alignment: Alignment) -> bool:
    """Two feelings, and a thing that both are about."""
    has_feelings = any(feeling(new) and feeling(old) for new, old in alignment.opposed)
    return has_feelings and any(min(new.weight, old.weight) >= LOOSE for new, old in alignment.matched)


def denies_number(pair: Pair) -> bool:
    """ "doesn't run ten kilometres" leaves five standing; "has no siblings" denies three."""
    numbers = pair.alignment.new_numbers if pair.new.negations % 2 else pair.alignment.old_numbers
    return bool(numbers)


def is_general_denial(pair: Pair) -> bool:
    """ "drinks no coffee" against "likes espresso": a kind is denied, and one of that kind is said."""
    if len(pair.alignment.kinds) != 1:
        return False
    new, old = pair.alignment.kinds[0]
    return is_of_kind(old, new) if pair.new.negations % 2 else pair.old.negations % 2 == 1 and is_of_kind(new, old)


def has_other_time(pair: Pair) -> bool:
    """Day and hour are one value: a meeting that was moved has both changed at once."""
    clashing, numbers = pair.alignment.clashing, (*pair.alignment.new_numbers, *pair.alignment.old_numbers)
    if not all(a.group in TIME_GROUPS for a, _ in clashing) or {n.dimension for n in numbers} - TIME_DIMENSIONS:
        return False
    is_paired = bool(clashing) or bool(pair.alignment.new_numbers and pair.alignment.old_numbers)
    is_one_valued = pair.is_change or is_single_valued(pair.new, pair.old, pair.alignment)
    is_plain_clock = not clashing and not pair.alignment.concepts & read_attributes()["many"]
    return (
        is_paired and (is_one_valued or is_plain_clock) and bool(pair.alignment.matched) and is_tight(pair, TIME_GROUPS)
    )


def has_other_number(pair: Pair) -> bool:
    news, olds = pair.alignment.new_numbers, pair.alignment.old_numbers
    if len(news) != 1 or len(olds) != 1 or pair.alignment.clashing or pair.alignment.kinds:
        return False
    if numbers_name_the_subject(pair) or not is_tight(pair, detail=DETAIL if pair.is_change else LOOSE):
        return False
    is_counted = not pair.alignment.concepts & read_attributes()["event"]
    return is_one_measure(news[0], olds[0]) and (is_counted or is_single_valued(pair.new, pair.old, pair.alignment))


def numbers_name_the_subject(pair: Pair) -> bool:
    """ "Building 3 has a lift": the number stands before the verb and says which building."""
    return all(NUMBERED_SUBJECT.match(text) and not PERSON.search(text) for text in (pair.new.text, pair.old.text))


def is_one_measure(new: Quantity, old: Quantity) -> bool:
    clocks = {"clock", "clock12"}
    is_same = new.dimension == old.dimension or {new.dimension, old.dimension} <= clocks
    return is_same and not new.value.startswith("#")


def has_other_value(pair: Pair) -> bool:
    alignment = pair.alignment
    if replaces_former_value(pair):
        return True
    if len(alignment.clashing) > 1 or not is_single_valued(pair.new, pair.old, alignment):
        return False
    if alignment.kinds:
        return False
    if not alignment.clashing:
        return is_swapped_word(pair)
    if names_former_value(pair):
        return is_tight(pair, detail=DETAIL)
    is_anchored = bool(alignment.matched) or pair.is_change or is_one_of(alignment.clashing[0][0])
    return is_anchored and is_tight(pair, detail=DETAIL if pair.is_change and alignment.matched else LOOSE)


def is_one_of(term: Term) -> bool:
    return term.group in read_attributes()["one of"]


def names_former_value(pair: Pair) -> bool:
    """ "switched from Notion to Obsidian" against "uses Notion"."""
    sides = (pair.new, pair.old), (pair.old, pair.new)
    return any({t.concept for t in later.former} & {t.concept for t in earlier.terms} for later, earlier in sides)


def replaces_former_value(pair: Pair) -> bool:
    """All that the earlier statement says besides is what the later one puts an end to."""
    later, earlier, rest, later_rest = pair.new, pair.old, pair.alignment.old_rest, pair.alignment.new_rest
    if pair.old.is_change:
        later, earlier, rest, later_rest = earlier, later, later_rest, rest
    former = {term.concept for term in later.former if term.weight}
    loose = [term for term in rest if term.concept not in former]
    is_named = bool(former) and former <= {term.concept for term in earlier.terms} and not leaves(earlier, later.former)
    values = [term for term in later_rest if not is_changing(term)]
    return is_named and sum(term.weight for term in loose) <= DETAIL and sum(term.weight for term in values) <= DETAIL


def have_one_value(pair: Pair) -> bool:
    """ "painted the fence grey", "painted the door grey": the value is the same, so the words left say of what."""
    return any(term.group in read_attributes()["value"] for term, _ in pair.alignment.matched)


def leaves(earlier: Reading, former: Sequence[Term]) -> bool:
    """Whether the earlier statement, too, names the former value only as what was left: "was sent from Lyon"."""
    return any(f"从{term.text}" in earlier.text or f"from {term.text}" in earlier.text for term in former)


def is_swapped_word(pair: Pair) -> bool:
    """One word, and nothing else, is left on each side: a name, a member of a class, or a word no list knows.

    Behind "is" it may be a few words that no list knows.
    """
    rests = []
    for rest, reading in ((pair.alignment.new_rest, pair.new), (pair.alignment.old_rest, pair.old)):
        rests.append([term for term in rest if term.weight >= LOOSE and not (reading.is_change and is_changing(term))])
    is_anchored = pair.alignment.shared_weight >= LOOSE or names_former_value(pair)
    if not is_anchored or not all(rests) or have_one_value(pair):
        return False
    if [len(rest) for rest in rests] != [1, 1]:
        is_named = all(map(COPULA.search, (pair.new.text, pair.old.text)))
        return is_named and all(len(rest) <= PHRASE and not any(term.is_known for term in rest) for rest in rests)
    (new,), (old,) = rests
    is_set = bool(pair.alignment.concepts & read_attributes()["single"]) and all(
        map(COPULA.search, (pair.new.text, pair.old.text))
    )
    could_be_values = all(not is_subject(term) and (term.group or not term.is_known or is_set) for term in (new, old))
    return could_be_values and not (new.group and old.group)
