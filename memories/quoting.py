"""Which sentences of a message a memory rests on, where the model that wrote it did not say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xiajiao.fulltext.stopwords import STOP_WORDS
from xiajiao.fulltext.terms import words

# Up to a closing mark, or a full stop before a blank; its quotation marks and brackets go along.
SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;]+[”’」』）)\"']*|\.+[”’)\"']*(?=\s|$)|(?=\n)|$)")
# Whom a memory is about; a message says "I" there.
PERSON = {"user", "用户", "person", "assistant", "agent"}
# The share of the memory's words that the best sentence has to hold, and that each further one has to add.
ENOUGH, MORE = 0.34, 0.25
SENTENCES = 3
LONGEST_HEARD = 50_000  # characters


def find_quote(content: str, heard: str) -> str:
    """The sentences of `heard` with most of the memory's words, word for word, one to a line in their order.

    Empty where none holds enough of them. The same for the same texts, whatever the model.
    """
    heard = heard[:LONGEST_HEARD]
    if content.strip() and content.strip() in heard:
        return content.strip()
    wanted = telling_terms(content)
    sentences = list(dict.fromkeys(split_sentences(heard)))
    held = [wanted & telling_terms(sentence) for sentence in sentences]
    chosen = sorted(choose(wanted, held))
    return "\n".join(sentences[place] for place in chosen)


def choose(wanted: set[str], held: list[set[str]]) -> list[int]:
    """The places of the sentences that together hold most, the best first; among equals the earlier one."""
    chosen: list[int] = []
    known: set[str] = set()
    for least in [ENOUGH, *[MORE] * (SENTENCES - 1)]:
        best = max(range(len(held)), key=lambda place: (len(held[place] - known), -place), default=None)
        if best is None or len(held[best] - known) < max(1.0, least * len(wanted)):
            break
        chosen.append(best)
        known |= held[best]
    return chosen


def split_sentences(text: str) -> Iterator[str]:
    for match in SENTENCE.finditer(text):
        if match.group().strip():
            yield match.group().strip()


def telling_terms(text: str) -> set[str]:
    return {term for word in words(text) for term in (word.term, *word.parts)} - STOP_WORDS - PERSON


def find_places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where the quote stands in the text, from and to, in order: in one piece, or else line by line; [] where not."""
    pieces = [quote] if quote and quote in text else [line for line in quote.splitlines() if line.strip()]
    places: list[tuple[int, int]] = []
    for piece in pieces:
        start = text.find(piece, places[-1][1] if places else 0)
        if start >= 0:
            places.append((start, start + len(piece)))
    return places
