"""Why a change was made, as a file tells it: only what the pages that show it can word, and pointers by uid alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memories.transfer.entries import EntryError
from memories.transfer.pointers import MEMORIES_IN_REASON, REVISIONS_IN_REASON, as_uid

TEXTS = ("rule", "type_deleted", "source_lost", "by")
FIGURES = ("cosine", "coverage", "likelihood")
# Shares of 1 all of them.
LARGEST = 1000
LISTS = ("vetoes", "left_out", "kept_secrets")


def read_reason(reason: Mapping[str, Any]) -> dict[str, Any]:
    """A key of a row would name whatever row has it here, perhaps somebody else's: it names nothing.

    Raises EntryError.
    """
    for name, value in reason.items():
        if not fits(name, value):
            raise EntryError("wrong_type", column="reason")
    pointers = {name: reason[name] for name in (*MEMORIES_IN_REASON, *REVISIONS_IN_REASON) if name in reason}
    found = {name: value if as_uid(value) else None for name, value in pointers.items()}
    return {**reason, **found}


def fits(name: str, value: Any) -> bool:
    if name in TEXTS:
        return isinstance(value, str)
    if name in FIGURES:
        return is_figure(value) or (value is None and name == "cosine")
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return True


def is_figure(value: Any) -> bool:
    return isinstance(value, float | int) and abs(value) <= LARGEST
