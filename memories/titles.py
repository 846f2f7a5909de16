"""What a memory is called in a list, and what lists of them are sorted by."""

from __future__ import annotations

import unicodedata

KEY_BYTES = 48
LONGEST = 120


def heading_of(title: str, content: str) -> str:
    """The title, else the first line of the text."""
    return title or next((line.strip() for line in content.splitlines() if line.strip()), "")[:LONGEST]


def title_key(title: str, content: str) -> str:
    """Sorts as a person expects in both languages and on every database: case aside, Chinese by its sound.

    GB 2312 holds the 3,755 usual characters in the order of their pinyin, and GB 18030 gives each text its bytes; in
    hexadecimal, no collation of a database has an opinion about them.
    """
    folded = unicodedata.normalize("NFKC", heading_of(title, content)).casefold()
    return folded.encode("gb18030", "ignore")[:KEY_BYTES].hex()
