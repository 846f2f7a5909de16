"""Texts to plain word forms: Chinese words as jieba cuts them, English words without their endings."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import rjieba

from memories.judgement.normalising import normalise
from memories.judgement.stems import FOLDER, stem

HAN = re.compile(r"[\u3400-\u9fff]")
# "的" parts words, but for the few that hold it; jieba would find 端的 in 后端的.
PARTICLE = re.compile(r"(?<![目有似])的(?![确士])")
WORD = re.compile(r"[\u3400-\u9fff]+|[a-z0-9]+(?:[._@/'+#-]+[a-z0-9]+)*[+#]*|#\d+")
CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
)
CANNOT = re.compile(r"\bcannot\b")


class Token(NamedTuple):
    """A word: its bare form, which is looked up, and how it stands in the text, which is embedded."""

    form: str
    surface: str


def tokenise(text: str) -> list[Token]:
    """The words of a text, in order, punctuation left out."""
    return [token for word in split_words(text) for token in word_tokens(word)]


def split_words(text: str) -> list[str]:
    """Runs of Chinese characters and Latin words of the normalised text, contractions written out."""
    folded = normalise(text).replace("’", "'")
    for pattern, written_out in CONTRACTIONS:
        folded = pattern.sub(written_out, folded)
    return WORD.findall(CANNOT.sub("can not", folded))


def word_tokens(word: str) -> list[Token]:
    if HAN.match(word):
        return [Token(piece, piece) for part in PARTICLE.split(word) for piece in load_cutter().cut(part)]
    owner = word.partition("'s")[0]
    bare = owner.replace("'", "")
    return [Token(stem(bare), bare)]


@cache
def load_cutter() -> rjieba.Jieba:
    """A jieba of our own that knows the word-lists' words; the full-text index keeps the common one."""
    cutter = rjieba.Jieba()
    for path in sorted(FOLDER.glob("*.txt")):
        for word in re.findall(r"(?<![\u3400-\u9fff])[\u3400-\u9fff]{2,}(?![\u3400-\u9fff])", path.read_text("utf-8")):
            cutter.add_word(word, None, None)
    return cutter
