"""What the lists know of concepts: which have one value at a time, which are kinds of others, how they feel."""

from __future__ import annotations

from functools import cache

from memories.judgement.lexicon import read_lines, split
from memories.judgement.reading import Term


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
def read_kinds() -> dict[str, frozenset[str]]:
    """What belongs to a kind, by the kind."""
    rows = (line.partition("=") for line in read_lines("kinds.txt"))
    return {kind.strip(): frozenset(split(members, ",")) for kind, _, members in rows}


def feeling(term: Term) -> int:
    """1 for what is welcome, -1 for what is not, 0 for a term that says neither."""
    attributes = read_attributes()
    return term.sign * ((term.concept in attributes["welcome"]) - (term.concept in attributes["unwelcome"]))


def is_subject(term: Term) -> bool:
    return term.group in read_attributes()["subject"]


def is_of_kind(term: Term, kind: Term) -> bool:
    return term.concept in read_kinds().get(kind.concept, ())
