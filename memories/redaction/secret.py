"""What the finders find."""

from __future__ import annotations

from typing import NamedTuple


class Secret(NamedTuple):
    """The secret is text[start:end]; `kind` is a SecretKind."""

    kind: str
    start: int
    end: int
