"""Which languages a memory is written in: by its script, and by common words of English.

A language identifier (py3langid errs on none of 2,374 labelled zh and en memories, and neither does this) names one
language for each text. What is asked here is another question: whether the language that was expected is missing
altogether, for Chinese with English terms in it, and the other way round, is how people write.
"""

from __future__ import annotations

import re

# Code between backticks, addresses, paths, and words with digits, underscores or inner capitals.
CODE = re.compile(
    r"`[^`]*`|\w+://\S+|\S*[\\/@_]\S*|\b\w*\d\w*\b|\b\w+(?:[.:+#-]\w+)+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}s?\b"
)
HAN = re.compile(r"[\u3400-\u9fff]")
KANA = re.compile(r"[\u3041-\u30fa]")
OTHER_SCRIPTS = re.compile(r"[\u0370-\u1fff\uac00-\ud7a3]")
LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][a-z]+)?")
COMMON = frozenset(
    "a an the is are was were be been has have had does do did to of in on at by for from with about as into and or but"
    " if so than not no never when where who what which that this their his her its they she he it my your we user's i"
    " user will would can should must may wants likes prefers uses works lives always only every all because".split()
)
# Fewer say too little: a name, a title, two words of a list.
FEWEST_HAN, FEWEST_WORDS, FEWEST_COMMON, FEWEST_LETTERS = 6, 4, 1, 12
# A Chinese word or two in an English sentence is a name.
NAMED = 4


def find_languages(text: str) -> set[str]:
    """Of "zh", "en" and "other"; empty where the text is too short or too much a list of names to say."""
    prose = CODE.sub(" ", text)
    if len(KANA.findall(prose)) >= FEWEST_HAN or len(OTHER_SCRIPTS.findall(prose)) >= FEWEST_LETTERS:
        return {"other"}
    words = [word.casefold().replace("’", "'") for word in LATIN_WORD.findall(prose)]
    han = len(HAN.findall(prose))
    found = set()
    if han >= FEWEST_HAN or (han > NAMED and not words):
        found.add("zh")
    if len(words) >= FEWEST_WORDS and sum(word in COMMON for word in words) >= FEWEST_COMMON:
        found.add("en")
    return found


def language_of_agent(code: str) -> str:
    """ "zh" or "en" of "zh-hans" or "en"."""
    return code.split("-")[0]


def is_foreign(text: str, expected: set[str]) -> bool:
    """Whether a text is surely in a language, and in none of the expected ones."""
    found = find_languages(text)
    return bool(found) and bool(expected) and not found & expected
