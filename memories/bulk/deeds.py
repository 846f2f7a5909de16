"""What can be done to many memories at once, as a form says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memories.models import BulkChange, Memory, MemoryType

Action = BulkChange.Action
# Said by a word alone; a type and a category say which.
PLAIN = {Action.ENABLE, Action.DISABLE, Action.PIN, Action.UNPIN, Action.DELETE}


@dataclass(frozen=True)
class Deed:
    """What to do with each: `action` is a BulkChange.Action, `arguments` {"type": id} or {"category": value}."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


def read_deed(text: str) -> Deed | None:
    """`delete`, `category:episodic`, `type:feedback` (the key of a memory type); None for what is none."""
    action, _colon, value = text.partition(":")
    if text in PLAIN:
        return Deed(text)
    if action == Action.CATEGORY and value in Memory.Category.values:
        return Deed(action, {"category": value})
    memory_type = MemoryType.objects.usable().filter(key=value).first() if action == Action.TYPE else None
    return None if memory_type is None else Deed(action, {"type": memory_type.pk})
