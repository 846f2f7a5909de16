"""Whether two statements that share their words tie them to each other in another way.

"爸爸住在北京，妈妈住在上海" and "爸爸住在上海，妈妈住在北京" hold the same words, as "cats fear dogs" and "dogs fear
cats" do: what goes with what is in the clauses and in the order, which no cosine and no count of words sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from memories.judgement.frames import ORDER
from memories.judgement.pairs import Pair
from memories.judgement.reading import Reading, Term, read

# Marks and words at which a new clause may begin; what stands between two of them is a clause if it says enough.
SEAM = re.compile(r"[，,;；。!?！？、:：]|而是|但是?|(?<!\d)和(?!\d)|跟|[也且]|\b(?:and|but|while|whereas)\b")
# Things in a row, which may change places: "Python 和 Go", "salt, pepper and oil".
ROW = re.compile(r"(?:[、,和与跟及或/&\s]|以及|还有|\b(?:and|or)\b)*")
BREAK = re.compile("[，,;；。!?！？也且]")
# Who is often in no list, and stands where one who acts stands.
SPEAKER = re.compile(r"(?:用户|我)(?![的家们])|\b(?:user|i|me)\b(?!')")
NICKNAME = re.compile(
    r"(?<![大小])[小老阿][王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢](?!的)"
)
EQUALS = re.compile(r"[是叫为]|\b(?:is|was|are|were)\b")
PASSIVE = re.compile(
    r"被|由|\b(?:is|are|was|were|be|been|gets?|got) (?:\w+ly )?\w+(?:ed|en|ught|ung|own)\b.* by (?!\w+ing\b)"
)
# Units, or signs of a clause, below which it belongs to its neighbour.
ENOUGH_UNITS = 2
HEAVY = 1.0
PEOPLE = frozenset({"person", "unlisted", "user", "kin"})
# A concept, a quantity's dimension and value, or that something is denied.
Unit = str | tuple[str, str]
Clause = frozenset[Unit]


def is_rearranged(pair: Pair) -> bool:
    """Whether what the two share is tied otherwise: in other clauses, in another order, or by the other voice."""
    news, olds = read_clauses(pair.new), read_clauses(pair.old)
    names = {new.concept: old.concept for new, old in pair.alignment.matched}
    if len(news) > 1 and len(olds) > 1 and are_bound_otherwise([rename(clause, names) for clause in news], olds):
        return True
    return is_out_of_order(pair) or (not pair.is_across and have_changed_places(pair))


def differ_throughout(pair: Pair) -> bool:
    """Whether several clauses of each statement hold a word that the other one lacks: other values, one by one."""
    sides = (pair.new, pair.alignment.new_rest), (pair.old, pair.alignment.old_rest)
    return all(count_clauses_of(reading, rest) > 1 for reading, rest in sides)


def count_clauses_of(reading: Reading, terms: Sequence[Term]) -> int:
    heavy = {term.concept for term in terms if term.weight >= HEAVY}
    return sum(bool(clause & heavy) for clause in read_clauses(reading))


def read_clauses(reading: Reading) -> list[Clause]:
    """The clauses of a statement; those too short to say anything belong to the one before them."""
    pieces: list[str] = []
    for piece in SEAM.split(reading.text):
        if pieces and (len(find_units(piece)) < ENOUGH_UNITS or len(find_units(pieces[-1])) < ENOUGH_UNITS):
            pieces[-1] += f" {piece}"
        elif piece.strip():
            pieces.append(piece)
    return [find_units(piece) for piece in pieces]


def find_units(piece: str) -> Clause:
    reading = read(piece)
    units: set[Unit] = {term.concept for term in reading.terms}
    units |= {(quantity.dimension, quantity.value) for quantity in reading.quantities}
    is_denied = (reading.negations + sum(term.sign < 0 for term in reading.terms)) % 2 == 1
    return frozenset(units | ({"denied"} if is_denied else set()))


def rename(clause: Clause, names: dict[str, str]) -> Clause:
    """A clause in the words of the other statement."""
    return frozenset(names.get(unit, unit) if isinstance(unit, str) else unit for unit in clause)


def are_bound_otherwise(news: list[Clause], olds: list[Clause]) -> bool:
    """Whether each statement holds two things in one clause that the other holds in two."""
    return are_parted(news, olds) and are_parted(olds, news)


def are_parted(these: list[Clause], those: list[Clause]) -> bool:
    known: Clause = frozenset().union(*those)
    held = {couple for clause in these for couple in combinations(sorted(clause & known, key=str), 2)}
    return any(not any(other.issuperset(couple) for other in those) for couple in held)


def is_out_of_order(pair: Pair) -> bool:
    """ "tabs over spaces" and "spaces over tabs", 先洗菜后切肉 and 先切肉后洗菜."""
    if not (ORDER.search(pair.new.text) and ORDER.search(pair.old.text)):
        return False
    new_places = {term.concept: place for place, term in enumerate(pair.new.terms) if term.weight >= HEAVY}
    old_places = {term.concept: place for place, term in enumerate(pair.old.terms)}
    shared = sorted((concept for concept in new_places if concept in old_places), key=lambda c: new_places[c])
    order = [old_places[concept] for concept in shared]
    return order != sorted(order)


def have_changed_places(pair: Pair) -> bool:
    """Whether two of one sort have changed places within a clause, where the order says who does what to whom."""
    is_voice_other = is_passive(pair.new.text) != is_passive(pair.old.text)
    for first, second in combinations(find_players(pair), 2):
        if not are_of_one_sort(first.sort, second.sort) or are_apart(pair, first, second):
            continue
        is_order_other = (first.new < second.new) != (first.old < second.old)
        if is_order_other != (is_voice_other and "user" not in (first.sort, second.sort)):
            return True
    return False


def is_passive(text: str) -> bool:
    return bool(PASSIVE.search(text))


@dataclass(frozen=True)
class Player:
    """Who or what may do or be done to. `new`, `old`: where it stands in the two texts, from and to."""

    sort: str
    new: tuple[int, int]
    old: tuple[int, int]


def find_players(pair: Pair) -> Iterator[Player]:
    for new, old in pair.alignment.matched:
        places = pair.new.text.find(new.text), pair.old.text.find(old.text)
        sort = find_sort(new)
        if sort and min(places) >= 0:
            yield Player(sort, (places[0], places[0] + len(new.text)), (places[1], places[1] + len(old.text)))
    speakers = SPEAKER.search(pair.new.text), SPEAKER.search(pair.old.text)
    if speakers[0] and speakers[1]:
        yield Player("user", speakers[0].span(), speakers[1].span())
    for match in NICKNAME.finditer(pair.new.text):
        start = pair.old.text.find(match[0])
        if start >= 0:
            yield Player("person", match.span(), (start, start + len(match[0])))


def find_sort(term: Term) -> str:
    if term.is_name:
        return "person"
    return term.group or ("" if term.is_known else "unlisted")


def are_of_one_sort(one: str, other: str) -> bool:
    """Whether the lists put both into one class; a word in no list may be a person's name."""
    return one == other or {one, other} <= PEOPLE


def are_apart(pair: Pair, first: Player, second: Player) -> bool:
    """Whether the two stand in a row or in two clauses, in one of the texts: then their order says nothing."""
    gaps = (find_gap(pair.new.text, first.new, second.new), find_gap(pair.old.text, first.old, second.old))
    is_naming = "kin" in (first.sort, second.sort)  # "Li Na is the user's wife"
    return any(ROW.fullmatch(gap) or BREAK.search(gap) or (is_naming and EQUALS.search(gap)) for gap in gaps)


def find_gap(text: str, a: tuple[int, int], b: tuple[int, int]) -> str:
    (_, start), (end, _) = sorted((a, b))
    return text[start:end]
