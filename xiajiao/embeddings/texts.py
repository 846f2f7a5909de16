"""What every text goes through before a model sees it."""

from __future__ import annotations

import unicodedata

from xiajiao.texts import clean

# Enough of a huge text to fill the limit, however many blanks and broken characters stand in it.
MARGIN = 8


def clean_text(text: str, limit: int) -> str:
    """The first `limit` characters at most: NFKC, single blanks, no U+0000, no lone surrogate. May be empty."""
    return _clean(text[: limit * MARGIN], slice(limit))


def clean_query(text: str, limit: int) -> str:
    """As clean_text, but of a long text the beginning and the end, where people say what they want."""
    whole = clean_text(text, limit + 1)
    if len(whole) <= limit:
        return whole
    half = (limit - 1) // 2
    return f"{whole[:half].rstrip()} {_clean(text[-half * MARGIN :], slice(-half, None))}"


def _clean(text: str, part: slice) -> str:
    text = " ".join(clean(text).split())
    # Cut twice: NFKC makes 18 characters of one U+FDFA, and takes its time over a megabyte.
    return unicodedata.normalize("NFKC", text[part])[part].strip()
