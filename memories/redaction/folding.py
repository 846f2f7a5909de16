"""One spelling of each character, so that a pattern is said once; every character keeps its place."""

from __future__ import annotations

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
# Also those of no width, which a copied number may have inside.
SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u200a\u200b\u200c\u200d\u202f\u2060\u3000\ufeff"), " ")
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
QUOTES = dict.fromkeys(map(ord, "“”„「」『』"), '"') | dict.fromkeys(map(ord, "‘’"), "'")
FOLDED: dict[int, int | str] = {**FULL_WIDTH, **SPACES, **DASHES, **QUOTES}


def fold(text: str) -> str:
    """As long as the text: full width becomes half, quotes and dashes of each kind become one."""
    return text.translate(FOLDED)
