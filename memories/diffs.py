"""What changed between two texts, word by word: Chinese by the words of the full-text index, not by characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memories.alignment import Stretch, align
from xiajiao.fulltext.terms import TOKENS, cut_cjk

Kind = Literal["same", "removed", "added", "skipped"]
SPACES = re.compile(r"\s+|\S")
SENTENCES = re.compile(r"[^.!?。！？；\n]*[.!?。！？；\n]+|[^.!?。！？；\n]+")
# A run without a change that is longer is shortened to so many characters at either end of it.
LONGEST_RUN, EDGE = 240, 80
# With less than this in common, two texts are read better whole, one after the other.
LEAST_IN_COMMON = 0.25
JOINER = "\u200d"


@dataclass(frozen=True)
class Piece:
    """A part of both texts, of the first alone (removed) or the second alone (added); skipped: of both, not shown."""

    kind: Kind
    text: str

    @property
    def length(self) -> int:
        """In characters."""
        return len(self.text)


def diff_words(before: str, after: str) -> list[Piece]:
    """The pieces without `added` make up `before`, those without `removed` make up `after`, character by character."""
    pieces = find_changes(split_words(before), split_words(after)) or find_changed_sentences(before, after)
    shared = sum(len("".join(text.split())) for kind, text in pieces if kind == "same")
    if shared < LEAST_IN_COMMON * max(len("".join(text.split())) for text in (before, after)):
        return join([("removed", before), ("added", after)])
    return join(absorb(pieces))


def find_changes(first: Sequence[str], second: Sequence[str]) -> list[tuple[Kind, str]]:
    """Nothing where there are too many."""
    pieces: list[tuple[Kind, str]] = []
    for stretch in align(first, second) or []:
        old = "".join(first[stretch.start : stretch.end])
        new = "".join(second[stretch.new_start : stretch.new_end])
        pieces += [("same", old)] if stretch.is_same else [("removed", old), ("added", new)]
    return pieces


def find_changed_sentences(before: str, after: str) -> list[tuple[Kind, str]]:
    """For long texts of which much changed: by sentences first, then by the words of those that changed."""
    first, second = SENTENCES.findall(before), SENTENCES.findall(after)
    pieces: list[tuple[Kind, str]] = []
    for stretch in align(first, second) or [Stretch(False, 0, len(first), 0, len(second))]:
        old = "".join(first[stretch.start : stretch.end])
        new = "".join(second[stretch.new_start : stretch.new_end])
        changes = find_changes(split_words(old), split_words(new))
        pieces += changes or [("removed", old), ("added", new)]
    return pieces


def absorb(pieces: Sequence[tuple[Kind, str]]) -> Iterator[tuple[Kind, str]]:
    """A blank between two changes belongs to both: `the quick` → `a slow` is one change, not two."""
    for at, (kind, text) in enumerate(pieces):
        if kind == "same" and not text.strip() and 0 < at < len(pieces) - 1:
            yield "removed", text
            yield "added", text
        else:
            yield kind, text


def join(pieces: Iterable[tuple[Kind, str]]) -> list[Piece]:
    """Neighbours of one kind as one piece; of a change, what was removed stands before what was added."""
    joined: list[Piece] = []
    removed = added = ""
    for kind, text in [*pieces, ("same", "")]:
        if kind == "removed":
            removed += text
        elif kind == "added":
            added += text
        elif text or removed or added:
            joined += [Piece("removed", removed), Piece("added", added), Piece("same", text)]
            removed = added = ""
    return [piece for piece in joined if piece.text]


def shorten_same(pieces: Sequence[Piece]) -> list[Piece]:
    """Of long unchanged runs only what stands beside a change; the middle as a piece that says how long it is."""
    shown: list[Piece] = []
    for at, piece in enumerate(pieces):
        if piece.kind != "same" or piece.length <= LONGEST_RUN:
            shown.append(piece)
            continue
        words = split_words(piece.text)
        head = take(words, EDGE) if at else ""
        tail = take(words[::-1], EDGE, backwards=True) if at < len(pieces) - 1 else ""
        middle = piece.text[len(head) : piece.length - len(tail)]
        shown += [Piece("same", head), Piece("skipped", middle), Piece("same", tail)]
    return [piece for piece in shown if piece.text]


def take(words: Sequence[str], length: int, backwards: bool = False) -> str:
    """The first words that make up so many characters."""
    taken: list[str] = []
    left = length
    for word in words:
        if left <= 0:
            break
        taken.append(word)
        left -= len(word)
    return "".join(taken[::-1] if backwards else taken)


def split_words(text: str) -> list[str]:
    """Words, blanks and marks that make up the text when joined; what is read as one sign (👩‍👩‍👧) is never split."""
    tokens: list[str] = []
    for token in cut(text):
        if tokens and (belongs(token[0]) or tokens[-1].endswith(JOINER)):
            tokens[-1] += token
        else:
            tokens.append(token)
    return tokens


def belongs(sign: str) -> bool:
    """Whether it changes the look of the sign before it: combining marks, joiners, skin tones."""
    return sign == JOINER or unicodedata.category(sign).startswith("M") or "\U0001f3fb" <= sign <= "\U0001f3ff"


def cut(text: str) -> Iterator[str]:
    at = 0
    for match in TOKENS.finditer(text):
        yield from SPACES.findall(text[at : match.start()])
        yield from cut_cjk(match["cjk"]) if match["cjk"] else [match["latin"]]
        at = match.end()
    yield from SPACES.findall(text[at:])
