"""All secrets of a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from memories.models.secrets import SecretKind, default_redacted_kinds
from memories.redaction.folding import fold
from memories.redaction.keys import find_api_keys
from memories.redaction.marks import hide_marks, mark_of
from memories.redaction.numbers import find_bank_cards, find_identity_numbers
from memories.redaction.passwords import find_passwords
from memories.redaction.phones import find_phone_numbers
from memories.redaction.private_keys import find_private_keys
from memories.redaction.secret import Secret

Finder = Callable[[str], Iterator[Secret]]
# The surest first: where two find the same, it is called what the first one says.
FINDERS: dict[str, Finder] = {
    SecretKind.PRIVATE_KEY: find_private_keys,
    SecretKind.API_KEY: find_api_keys,
    SecretKind.PASSWORD: find_passwords,
    SecretKind.IDENTITY_NUMBER: find_identity_numbers,
    SecretKind.BANK_CARD: find_bank_cards,
    SecretKind.PHONE_NUMBER: find_phone_numbers,
}
DEFAULT_KINDS = frozenset(default_redacted_kinds())
# A mark beside it may make a number stand alone that did not before.
PASSES = 5


def find_secrets(text: str, kinds: Collection[str] = DEFAULT_KINDS) -> list[Secret]:
    """(kind, start, end) of each, in the order of the text; no two overlap. Linear in the length of the text."""
    hidden = hide_marks(fold(text))
    found = [secret for kind, find in FINDERS.items() if kind in kinds for secret in find(hidden)]
    rank = {kind: place for place, kind in enumerate(FINDERS)}
    merged: list[Secret] = []
    for secret in sorted(found, key=lambda each: (each.start, -each.end)):
        if merged and secret.start < merged[-1].end:
            last = merged[-1]
            kind = min(last.kind, secret.kind, key=lambda each: rank[each])
            merged[-1] = Secret(kind, last.start, max(last.end, secret.end))
        else:
            merged.append(secret)
    return merged


def redact(text: str, kinds: Collection[str], is_chinese: bool) -> tuple[str, set[str]]:
    """The text with a mark in the place of each secret, and the kinds of what was left out."""
    seen: set[str] = set()
    for _pass in range(PASSES):
        secrets = find_secrets(text, kinds)
        if not secrets:
            break
        text = replace_secrets(text, secrets, is_chinese)
        seen |= {secret.kind for secret in secrets}
    return text, seen


def replace_secrets(text: str, secrets: Sequence[Secret], is_chinese: bool) -> str:
    pieces, place = [], 0
    for kind, start, end in secrets:
        pieces += [text[place:start], mark_of(kind, is_chinese)]
        place = end
    return "".join([*pieces, text[place:]])


def cut_secrets(text: str, kinds: Collection[str]) -> str:
    pieces, place = [], 0
    for _kind, start, end in find_secrets(text, kinds):
        pieces.append(text[place:start])
        place = end
    return " ".join([*pieces, text[place:]])
