"""Invented memories in two languages: sentences with places in them, and the words that fit there."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
YEARS = (2019, 2026)
# {city2} is another city than {city}; {PROJECT} its name in capitals.
PLACE = re.compile(r"\{([A-Za-z]+?)(2?)\}")


@dataclass(frozen=True)
class Fact:
    """A memory that nobody has."""

    category: str
    type_key: str
    title: str
    content: str
    description: str
    tags: list[str]


@dataclass(frozen=True)
class Phrases:
    words: dict[str, list[str]]
    facts: list[tuple[str, ...]]

    def compose(self, chooser: random.Random) -> Fact:
        category, type_key, *texts = chooser.choice(self.facts)
        filled: dict[str, str] = {}
        title, content, description, tags = (self.fill(text, filled, chooser) for text in texts)
        return Fact(category, type_key, title, content, description, [tag.strip() for tag in tags.split(",")])

    def fill(self, text: str, filled: dict[str, str], chooser: random.Random) -> str:
        """The same place gets the same word all through a fact."""
        return PLACE.sub(lambda match: self.choose(match[1], match[2], filled, chooser), text)

    def choose(self, place: str, second: str, filled: dict[str, str], chooser: random.Random) -> str:
        name = place.lower()
        if name + second not in filled:
            others = [word for word in self.words_for(name) if word != filled.get(name)]
            filled[name + second] = chooser.choice(others)
        word = filled[name + second]
        return word.upper() if place.isupper() else word

    def words_for(self, name: str) -> list[str]:
        match name:
            case "n" | "m":
                return [str(number) for number in range(1, 13)]
            case "year":
                return [str(year) for year in range(*YEARS)]
            case _:
                return self.words[name]


@cache
def read_phrases(language: str) -> Phrases:
    """`zh` or `en`."""
    words: dict[str, list[str]] = {}
    facts: list[tuple[str, ...]] = []
    for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if "|" in line:
            facts.append(tuple(part.strip() for part in line.split("|")))
        else:
            name, _, listed = line.partition("=")
            words[name.strip()] = [word.strip() for word in listed.split(",")]
    return Phrases(words, facts)
