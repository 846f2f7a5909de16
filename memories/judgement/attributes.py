"""What the lists know of concepts: which have one value at a time, which are kinds of others, how they feel."""

from __future__ import annotations

from functools import cache

from memories.judgement.lexicon import read_lines, split
from memories.judgement.reading import Term
from memories.judgement.tokens import HAN


@cache
def read_attributes() -> dict[str, frozenset[str]]:
    sections: dict[str, frozenset[str]] = {}
    name = ""
    for line in read_lines("attributes.txt"):
        if line.startswith("["):
            name = line.strip("[]")
        else:
            sections[name] = frozenset(split(line, ",")) | sections.get(name, frozenset())
    return sections


@cache
def read_table(name: str) -> dict[str, frozenset[str]]:
    """Lines of `one = some, others`."""
    rows = (line.partition("=") for line in read_lines(name))
    return {one.strip(): frozenset(split(others, ",")) for one, _, others in rows}


def feeling(term: Term) -> int:
    """1 for what is welcome, -1 for what is not, 0 for a term that says neither."""
    attributes = read_attributes()
    return term.sign * ((term.concept in attributes["welcome"]) - (term.concept in attributes["unwelcome"]))


@cache
def read_sides() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(split(pair, "/")) for line in read_lines("sides.txt") for pair in split(line, ","))


def differ_in_side(a: Term, b: Term) -> bool:
    """饭前 and 饭后, 左膝 and 右膝: one character differs, and stands for the opposite."""
    return len(a.text) == len(b.text) and frozenset(set(a.text) ^ set(b.text)) in read_sides()


def is_subject(term: Term) -> bool:
    return term.group in read_attributes()["subject"]


def is_of_kind(term: Term, kind: Term) -> bool:
    """Whether a list says so, or the word itself: 龙井茶 is a 茶."""
    is_compound = not term.is_known and bool(kind.group) and len(term.text) > len(kind.text)
    if is_compound and HAN.match(kind.text) and term.text.endswith(kind.text):
        return True
    return term.concept in read_table("kinds.txt").get(kind.concept, ())


def is_class_of(word: Term, thing: Term) -> bool:
    """Whether `word` only names the class of `thing`: "framework" beside Vue."""
    return word.concept in read_table("classes.txt").get(thing.group, ())


def is_end(term: Term) -> bool:
    return term.concept in read_table("endings.txt")


def is_ending(term: Term) -> bool:
    """Whether a term says that a state is over, or that what was liked is not."""
    return is_end(term) or (term.sign < 0 and term.concept in read_attributes()["ended"])


def is_end_of(end: Term, state: Term) -> bool:
    """Whether `end` puts an end to `state`: who has left works, lives or studies there no more."""
    return state.concept in read_table("endings.txt").get(end.concept, ())
