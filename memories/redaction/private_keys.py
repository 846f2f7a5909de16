"""Private keys: PEM and OpenSSH blocks, age and wallet keys, the words that restore a wallet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memories.models.secrets import SecretKind
from memories.redaction.secret import Secret

BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]:")
END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[ ]?[0-9a-f]{0,64}")
# The body of a block whose end was cut off; `\n` may be written out, as in JSON.
BODY = re.compile(
    r"(?:\s|\\[nr]|[A-Za-z\-]{1,40}:[^\n]*\n)*+(?:[A-Za-z0-9+/=]{16,}+(?:\s|\\[nr])*+)*+(?:[A-Za-z0-9+/]{1,15}={1,2})?"
)
AGE = re.compile(r"AGE-SECRET-KEY-1[A-Z0-9]{20,}")
NAMED = re.compile(
    r"(?i:private[ _\-]?key|seed[ ]phrase|recovery[ ]phrase|mnemonic|私钥|私鑰|助记词|助記詞)(?:[ ]phrase)?[\"']?"
    r"[ \t]{0,3}(?:[:=]|是|为|[ ](?i:is)[ ])\s{0,3}[\"']?"
    r"((?:0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])"
    r"|(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}(?![a-z]))",
    re.ASCII,
)


def find_private_keys(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    yield from find_blocks(text)
    for found in AGE.finditer(text):
        yield Secret(SecretKind.PRIVATE_KEY, *found.span())
    for found in NAMED.finditer(text):
        yield Secret(SecretKind.PRIVATE_KEY, *found.span(1))


def find_blocks(text: str) -> Iterator[Secret]:
    """Each from its first line to its last; where the last is missing, as far as it looks like a key."""
    begin, end = BEGIN.search(text), END.search(text)
    while begin is not None:
        following = BEGIN.search(text, begin.end())
        # Looked for no further than once: a text of nothing but first lines is read in one go.
        if end is not None and end.start() < begin.end():
            end = END.search(text, begin.end())
        is_whole = end is not None and (following is None or end.start() < following.start())
        stop = end.end() if end is not None and is_whole else find_end_of_body(text, begin.end())
        yield Secret(SecretKind.PRIVATE_KEY, begin.start(), stop)
        begin = BEGIN.search(text, stop)


def find_end_of_body(text: str, start: int) -> int:
    body = BODY.match(text, start)
    return start if body is None else start + len(body[0].rstrip())
