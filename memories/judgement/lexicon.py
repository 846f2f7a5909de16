"""The word-lists beside this file: which words say the same, which the opposite, which exclude one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memories.judgement.normalising import normalise
from memories.judgement.tokens import FOLDER, Token, tokenise


@dataclass(frozen=True)
class Entry:
    """What a phrase means. `concept` is shared by all phrases that say the same or, with sign -1, the opposite.

    `group`: the class of things that exclude one another, or "" for none. `weight`: how much of a statement it says.
    """

    concept: str
    sign: int = 1
    group: str = ""
    weight: float = 1.0
    is_negator: bool = False


@dataclass(frozen=True)
class Lexicon:
    """`entries` by their phrase, as `join` writes it; `longest`: tokens of the longest one."""

    entries: dict[str, Entry]
    longest: int

    def find(self, tokens: list[Token], start: int) -> tuple[int, Entry] | None:
        """The longest phrase that begins at `start`: how many tokens it takes, and its entry."""
        for length in range(min(self.longest, len(tokens) - start), 0, -1):
            entry = self.entries.get(join(tokens[start : start + length]))
            if entry is not None:
                return length, entry
        return None


@cache
def load_lexicon() -> Lexicon:
    """Read once per process. A phrase that stands in two files has the meaning of the first."""
    entries: dict[str, Entry] = {}
    longest = 1
    for text, entry in [*read_negators(), *read_concepts(), *read_light(), *read_values()]:
        # "be" weighs nothing; an entry that starts with it would hide longer ones that start after it.
        tokens = tokenise(text.removeprefix("be "))
        longest = max(longest, len(tokens))
        entries.setdefault(join(tokens), entry)
    entries.pop("", None)
    return Lexicon(entries, longest)


def join(tokens: Sequence[Token]) -> str:
    """Chinese words run together, so that it doesn't matter where they were cut; others are parted by a space."""
    return normalise(" ".join(token.form for token in tokens))


def read_lines(name: str) -> Iterator[str]:
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def read_negators() -> Iterator[tuple[str, Entry]]:
    for line in read_lines("negators.txt"):
        for phrase in split(line, ","):
            yield phrase, Entry("not", weight=0.0, is_negator=True)


def read_concepts() -> Iterator[tuple[str, Entry]]:
    for line in read_lines("concepts.txt"):
        weight = 0.4 if line.startswith("~") else 1.0
        same, _, opposite = line.lstrip("~").partition("|")
        name = split(same, ",")[0]
        for sign, side in ((1, same), (-1, opposite)):
            for phrase in split(side, ","):
                yield phrase, Entry(name, sign, weight=weight)


def read_light() -> Iterator[tuple[str, Entry]]:
    for line in read_lines("light.txt"):
        phrases = split(line, ",")
        for phrase in phrases:
            yield phrase, Entry(f"light:{phrases[0]}", weight=0.0)


def read_values() -> Iterator[tuple[str, Entry]]:
    group = ""
    for line in read_lines("values.txt"):
        if line.startswith("["):
            group = line.strip("[]")
            continue
        for member in split(line, ";"):
            names = split(member, "=")
            for name in names:
                yield name, Entry(f"{group}:{names[0]}", group=group, weight=0.1 if group == "frequency" else 1.0)


def split(text: str, mark: str) -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]
