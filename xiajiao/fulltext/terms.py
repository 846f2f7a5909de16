"""The one tokenizer: what a text is found by, the same for what is indexed and for what is asked.

Chinese by words and by pairs of characters (words alone miss what the segmenter cuts otherwise, pairs alone know no
words), Japanese and Korean by pairs, identifiers whole and in parts, all case-folded in Unicode's NFKC form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

import rjieba

from xiajiao.fulltext.stopwords import STOP_WORDS
from xiajiao.texts import clean

LONGEST_TEXT = 50_000
LONGEST_TERM = 64

HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA = r"\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
HANGUL = r"\uac00-\ud7a3"
CJK = HAN + KANA + HANGUL
WORD = rf"(?:(?![_{CJK}])\w)+(?:'(?:(?![_{CJK}])\w)+)*"
JOINT = r"[._\-+#@/:&%=?~]{1,3}"
TOKENS = re.compile(rf"(?P<cjk>[{CJK}]+)|(?P<latin>(?:(?<![\w.])\.)?_*{WORD}(?:{JOINT}{WORD})*(?:\+\+|\#|_+(?!\w))?)")
SCRIPTS = re.compile(rf"(?P<han>[{HAN}]+)|(?P<kana>[{KANA}]+)|(?P<hangul>[{HANGUL}]+)")
MARKS = re.compile(r"([a-z])[\u0300-\u036f]+")
POSSESSIVE = re.compile(r"'s$|'")
PIECES = re.compile(r"[_\-+#@/:&%=?~]+")
PLAIN = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True)
class Word:
    """A word of a text; `parts` are the terms that stand for it where it doesn't occur whole."""

    term: str
    parts: tuple[str, ...] = ()

    @property
    def is_stop_word(self) -> bool:
        return self.term in STOP_WORDS


def fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", clean(text[:LONGEST_TEXT])).casefold().replace("’", "'")
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", MARKS.sub(r"\1", unicodedata.normalize("NFD", text)))


def terms(text: str) -> list[str]:
    """What a text is found by, in its order, repeated as often as it occurs."""
    return [term for word, pairs in read(text) for term in (*([word.term, *word.parts] if word else []), *pairs)]


def words(text: str) -> list[Word]:
    return [word for word, _pairs in read(text) if word is not None]


def pairs_across_words(text: str) -> list[str]:
    """Pairs of characters that belong to two words: they hold a phrase together, but mean nothing alone."""
    return [pair for _word, pairs in read(text) for pair in pairs]


def characters(text: str) -> list[str]:
    """Each Chinese character, for those who ask for one alone."""
    return re.findall(f"[{HAN}]", fold(text))


def read(text: str) -> Iterator[tuple[Word | None, list[str]]]:
    """Each word, or None, with the pairs that cross its borders."""
    for match in TOKENS.finditer(fold(text)):
        if match["cjk"]:
            yield from read_cjk(match["cjk"])
        elif word := read_latin(match["latin"]):
            yield word, []


@lru_cache(maxsize=20_000)
def read_latin(token: str) -> Word | None:
    whole = shorten(token)
    pieces = [piece.strip(".") for piece in PIECES.split(token)]
    parts = [part for piece in pieces for part in (piece, *piece.split("."))]
    # The C of C++ or the e of e-mail is no part; the 1 of PPR-1 is.
    kept = dict.fromkeys(shorten(part) for part in parts if len(part) > 1 or part.isdigit())
    kept.pop(whole, None)
    return Word(whole, tuple(kept)) if whole else None


def shorten(word: str) -> str:
    """Without 's, and without the plural's s: D. Harman, How effective is suffixing? (JASIS 42, 1991)."""
    word = POSSESSIVE.sub("", word)[:LONGEST_TERM]
    if word in STOP_WORDS or not PLAIN.fullmatch(word):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("us", "ss", "aes", "ees", "oes")):
        return word[:-1]
    return word


def read_cjk(run: str) -> Iterator[tuple[Word | None, list[str]]]:
    if len(run) == 1:
        yield Word(run), []
        return
    inner: set[int] = set()
    start = 0
    for text in cut_cjk(run):
        inner.update(range(start, start + len(text) - 1))
        start += len(text)
        pairs = tuple(first + second for first, second in pairwise(text)) if len(text) > 2 else ()
        yield Word(text[:LONGEST_TERM], tuple(dict.fromkeys(pairs))), []
    yield None, [run[at : at + 2] for at in range(len(run) - 1) if at not in inner]


def cut_cjk(run: str) -> Iterator[str]:
    """Words of a run. Single characters in a row that the dictionary doesn't know (names, 三码) count as one word."""
    for match in SCRIPTS.finditer(run):
        if not match["han"]:
            yield match.group()
            continue
        for joins, group in groupby(rjieba.cut(match["han"], hmm=False), key=is_loose_character):
            pieces = list(group)
            yield from ["".join(pieces)] if joins else pieces


def is_loose_character(text: str) -> bool:
    return len(text) == 1 and text not in STOP_WORDS
