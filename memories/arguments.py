"""What models write into the arguments of the memory tools, read as it was meant."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

from django.db import Error as DatabaseProblem

from memories.models import MemoryType
from memories.models.types import Category
from xiajiao.texts import read_json
from xiajiao.tools import ToolError

logger = logging.getLogger(__name__)

MOST_RESULTS = 50


@dataclass(frozen=True)
class TypeChoice:
    """What a model may choose: `words` are all that the type may be called, without case."""

    key: str
    name: str
    description: str
    default_category: str
    words: frozenset[str] = frozenset()

    def __str__(self) -> str:
        said = ": ".join(part for part in (self.name, self.description) if part)
        return f"{self.key} ({said}; {self.default_category} unless said otherwise)"


# What the migrations bring along: a model can still choose among these where the table can't be asked.
BUILT_IN_TYPES = [
    TypeChoice("user", "User profile", "Preferences, roles and habits of the person", Category.SEMANTIC),
    TypeChoice("project", "Project knowledge", "Progress, decisions and constraints of a project", Category.SEMANTIC),
    TypeChoice("feedback", "Feedback", "How the person wants the agent to behave", Category.PROCEDURAL),
    TypeChoice("reference", "Reference", "Links, documents and other sources", Category.SEMANTIC),
]
# As models write them, with or without 记忆 or "memory" behind.
CATEGORY_WORDS = {
    "语义": "semantic",
    "事实": "semantic",
    "情景": "episodic",
    "情节": "episodic",
    "事件": "episodic",
    "程序": "procedural",
    "程序性": "procedural",
    "过程性": "procedural",
    "流程": "procedural",
}
TYPE_WORDS = {"用户画像": "user", "项目知识": "project", "行为反馈": "feedback", "引用资源": "reference"}


def list_types() -> list[TypeChoice]:
    """Those of the table, without those that are being deleted; the built-in ones where it can't be asked."""
    try:
        rows = list(MemoryType.objects.usable())
    except DatabaseProblem as error:
        logger.warning("The memory types could not be read; the built-in ones stand in: %s", error)
        return BUILT_IN_TYPES
    return [
        TypeChoice(row.key, row.name, row.description, row.default_category, frozenset(row.words)) for row in rows
    ] or BUILT_IN_TYPES


def read_kind(category: str, type: str) -> tuple[str, TypeChoice | None]:
    """Category and type, "" and None where neither was said; a category given as the type counts as one.

    Names count as keys, Chinese ones too. Raises ToolError with the possible values for a word that is neither.
    """
    said_category, said_type = category.strip(), type.strip()
    found_category, category_in_type = read_category(said_category), read_category(said_type)
    if said_category and not found_category:
        raise ToolError(f"category must be one of {', '.join(Category.values)}, not {said_category!r}.")
    if category_in_type and found_category in {"", category_in_type}:
        return category_in_type, None
    return found_category, read_type(said_type) if said_type else None


def read_category(word: str) -> str:
    """Nothing where it names none."""
    word = re.sub(r"(?:[ _-]?memory|[ _-]?memories|记忆)$", "", word.casefold())
    return word if word in Category.values else CATEGORY_WORDS.get(word, "")


def read_type(word: str) -> TypeChoice:
    types = list_types()
    wanted = word.casefold()
    for choice in types:
        if wanted in {choice.key, choice.name.casefold(), *choice.words} or TYPE_WORDS.get(wanted) == choice.key:
            return choice
    listed = "\n".join(f"- {choice}" for choice in types)
    raise ToolError(f"There is no memory type {word[:60]!r}; the types are\n{listed}")


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
