"""A memory's columns in words: what each holds, and what changed in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from memories.diffs import Piece, diff_words, shorten_same
from memories.models import Memory, MemoryType

# In the order in which a person reads them; what else a revision holds is bookkeeping and is not told.
LABELS = {
    "content": _("content"),
    "title": _("title"),
    "description": _("description"),
    "category": _("category"),
    "type_id": _("type"),
    "tags": _("tags"),
    "importance": _("importance"),
    "pinned": _("pinned"),
    "enabled": _("in use"),
    "valid_from": _("valid from"),
    "valid_to": _("valid to"),
    "superseded_by_id": _("replaced by"),
    "metadata": _("metadata"),
    "quote": _("quote"),
    "proof_count": _("times said"),
    "deleted_at": _("deleted"),
}
TEXTS = {"content", "title", "description", "quote", "metadata"}
TypeNames = Mapping[int, str]


@dataclass(frozen=True)
class ColumnChange:
    """What one column said and says. `memory_id`: the memory that it points to now, where it points to one."""

    name: str
    label: str
    pieces: Sequence[Piece]
    memory_id: int | None = None

    @property
    def is_text(self) -> bool:
        """Read as a text with changes in it, not as one value that gave way to another."""
        return self.name in TEXTS


def name_types() -> dict[int, str]:
    """The memory types there are, by id, in the reader's language."""
    return {row.pk: row.display_name for row in MemoryType.objects.all()}


def describe_changes(before: Mapping[str, Any], after: Mapping[str, Any], types: TypeNames) -> list[ColumnChange]:
    """Of those columns that both name, the ones that differ, in words."""
    names = [name for name in LABELS if name in before and name in after and before[name] != after[name]]
    return [describe_change(name, before[name], after[name], types) for name in names]


def describe_change(name: str, before: Any, after: Any, types: TypeNames) -> ColumnChange:
    label = str(LABELS[name])
    if name in TEXTS:
        old, new = word_value(name, before, types), word_value(name, after, types)
        return ColumnChange(name, label, shorten_same(diff_words(old, new)))
    if name == "tags" and not isinstance(after, str):
        return ColumnChange(name, label, diff_tags(before or [], after or []))
    old, new = word_value(name, before, types), word_value(name, after, types)
    pieces = [Piece("removed", old), Piece("added", new)]
    return ColumnChange(name, label, pieces, after if name == "superseded_by_id" else None)


def diff_tags(before: Sequence[str], after: Sequence[str]) -> list[Piece]:
    """Each tag a piece of its own."""
    gone = [Piece("removed", tag) for tag in before if tag not in after]
    return gone + [Piece("same" if tag in before else "added", tag) for tag in after]


def word_value(name: str, value: Any, types: TypeNames) -> str:
    """What a column holds as a person reads it; empty texts stay empty."""
    match name:
        case "category":
            return str(dict(Memory.Category.choices).get(value, value))
        case "importance":
            return str(dict(Memory.Importance.choices).get(value, value))
        case "type_id":
            return types.get(value) or gettext("a type that is gone")
        case "tags":
            return value if isinstance(value, str) else pgettext("between words", ", ").join(map(str, value or []))
        case "metadata":
            return format_metadata(value)
        case "superseded_by_id":
            return f"M{value}" if value else gettext("nothing")
    return value if isinstance(value, str) else word_plain(value)


def word_plain(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "Y-m-d H:i")
    return gettext("none") if value is None else str(value)


def format_metadata(value: Any) -> str:
    """As a person writes it: an entry a line, characters as themselves; empty where there is none."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2) if value else ""
