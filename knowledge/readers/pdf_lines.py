"""The lines of a printed page back to running text."""

from __future__ import annotations

import re

# PDFium's sign for a hyphen at the end of a line that is none of the word's own.
SOFT_HYPHEN = re.compile("[\ufffe\u00ad\u0002][\r\n]*")
DENSE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
# Of the longest line; a line that ends earlier ends a paragraph or a title.
FULL_SHARE = 0.8


def unwrap(text: str) -> str:
    """The text with words put together again that the edge of the page cut: Chinese has no other sign of it.

    Lines are joined only where the first is about full and both meet in Chinese characters.
    """
    lines = [line.rstrip() for line in SOFT_HYPHEN.sub("", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    longest = max(map(len, lines), default=0)
    joined = lines[:1]
    full = len(joined[0]) >= longest * FULL_SHARE if joined else False
    for line in lines[1:]:
        start = line.lstrip()
        if full and start and DENSE.match(start) and DENSE.search(joined[-1][-1:]):
            joined[-1] += start
        else:
            joined.append(line)
        full = len(line) >= longest * FULL_SHARE
    return "\n".join(joined).strip()
