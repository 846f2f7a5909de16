"""Invented texts for benchmarks/kb.py; Django is set up before this is imported."""

from __future__ import annotations

import random

from memories.demonstration.phrases import read_phrases

LANGUAGES = ("en", "zh")
# Chinese says the same in a third of the characters.
DENSITY = {"en": 1.0, "zh": 3.0}


def write_sentence(chooser: random.Random, language: str) -> str:
    return read_phrases(language).compose(chooser).content


def write_paragraph(chooser: random.Random, characters: int) -> str:
    """Of about so many characters in English, a third of it in Chinese."""
    language, text = chooser.choice(LANGUAGES), ""
    while len(text) * DENSITY[language] < characters:
        text += write_sentence(chooser, language) + " "
    return text.strip()


def write_document(chooser: random.Random, paragraphs: int, characters: int) -> str:
    return "\n\n".join(write_paragraph(chooser, characters) for _number in range(paragraphs))
