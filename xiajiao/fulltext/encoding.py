"""Terms as both engines take them: letters and digits alone, so that neither splits them.

SQLite's `unicode61` would make C of C++, PostgreSQL's parser python and -3.12 of python-3.12.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable
from functools import lru_cache

# What every version of `unicode61` (Unicode 6.1) holds for a letter or digit and leaves as it is.
ESCAPED = re.compile(r"[^0-9a-y\u3041-\u3096\u30a1-\u30fa\u3400-\u4db5\u4e00-\u9fcc\uac00-\ud7a3]")


@lru_cache(maxsize=50_000)
def encode(term: str) -> str:
    """`z` opens an escape: `zz` is z itself, `z2by` is U+002B. Two terms never become one."""
    return ESCAPED.sub(escape, term)


def escape(match: re.Match[str]) -> str:
    character = match.group()
    return "zz" if character == "z" else f"z{ord(character):x}y"


def namespace_prefix(namespace: str) -> str:
    """Six letters and digits before each term: a namespace has a vocabulary, and so an index, of its own.

    Two namespaces of 2^30 may share one by chance; rows are compared by their whole namespace too.
    """
    return b32encode(hashlib.blake2b(namespace.encode(), digest_size=4).digest()).decode().lower()[:6]


def encode_all(namespace: str, terms: Iterable[str]) -> list[str]:
    """Each once, in a stable order."""
    prefix = namespace_prefix(namespace)
    return sorted({prefix + encode(term) for term in terms})
