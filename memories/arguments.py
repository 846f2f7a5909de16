"""What models write into the arguments of the memory tools, read as it was meant."""

from __future__ import annotations

import re
from typing import Any

from django.db import DatabaseError

from memories.models import MemoryType
from memories.models.types import Category
from xiajiao.texts import read_json
from xiajiao.tools import ToolError

# What the migrations bring along: a model can still choose among these where the table can't be asked.
BUILT_IN_TYPES = {
    "user": "Preferences, roles and habits of the person",
    "project": "Progress, decisions and constraints of a project",
    "feedback": "How the person wants the agent to behave",
    "reference": "Links, documents and other sources",
}
MOST_RESULTS = 50


def list_types() -> dict[str, str]:
    """Key and description of each memory type."""
    try:
        rows = MemoryType.objects.values_list("key", "name", "description")
        return {key: description or name for key, name, description in rows} or BUILT_IN_TYPES
    except DatabaseError:
        return BUILT_IN_TYPES


def read_kind(category: str, type: str) -> tuple[str, str]:
    """Category and type key, each empty where neither was said; a category given as the type counts as one.

    Raises ToolError with the possible values for a word that is neither.
    """
    category, key = category.strip().lower(), type.strip().lower()
    if key in Category.values and not (category and category != key):
        category, key = key, ""
    if category and category not in Category.values:
        raise ToolError(f"category must be one of {', '.join(Category.values)}, not {category!r}.")
    types = list_types() if key else {}
    if key and key not in types:
        raise ToolError(f"There is no memory type {key!r}; the types are {', '.join(types)}.")
    return category, key


def read_tags(value: Any) -> list[str]:
    """A list, a list written as JSON, or words between commas."""
    if isinstance(value, str):
        value = read_json_or_none(value) if value.lstrip().startswith("[") else re.split(r"[,，、;；\n]", value)
    if not isinstance(value, list | tuple):
        raise ToolError('tags must be a list of words, for example ["travel", "2026"].')
    return [str(tag).strip().lstrip("#") for tag in value if str(tag).strip()]


def read_metadata(value: Any) -> dict[str, Any]:
    """An object, or one written as JSON."""
    if isinstance(value, str):
        value = read_json_or_none(value) if value.strip() else {}
    if not isinstance(value, dict):
        raise ToolError('metadata must be an object, for example {"source": "meeting"}.')
    return value


def read_json_or_none(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return None


def read_count(value: Any, name: str, most: int = MOST_RESULTS) -> int:
    """A whole number from 1 on, also written as text; a larger one than `most` counts as that."""
    try:
        count = int(float(value))
    except (TypeError, ValueError, OverflowError):
        raise ToolError(f"{name} must be a whole number, not {value!r}.") from None
    if count < 1:
        raise ToolError(f"{name} must be 1 or more.")
    return min(count, most)


def read_id(value: Any) -> int:
    """A memory's number as a model may write it: 12, "12", "M12" or "[M12]"."""
    match = re.fullmatch(r"\[?\s*[Mm]?(\d{1,18})(?:\.0)?\s*\]?", str(value).strip())
    if match is None:
        raise ToolError(f"id must be the number of a memory, such as 12 or M12, not {str(value)[:40]!r}.")
    return int(match[1])
