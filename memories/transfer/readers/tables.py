"""The tables of other systems, each with its columns, as memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memories.drafts import Draft
from memories.transfer.entries import Entry, EntryError, Fault, FileError, ForeignEntry, Spot
from memories.transfer.lines import decode
from memories.transfer.readers.database import Table, list_tables, read_rows
from memories.transfer.readers.mem0 import as_name, make_key, read_date
from memories.transfer.words import default_category, find_category, find_importance, find_type_key
from xiajiao.texts import clip, read_json

Values = dict[str, Any]


@dataclass(frozen=True)
class TableFormat:
    """`needs`: the columns by which it is known; `reads`: those that are used where they are there."""

    name: str
    table: str
    needs: frozenset[str]
    reads: tuple[str, ...]
    as_draft: Callable[[Values], Draft]

    def fits(self, table: Table) -> bool:
        return table.name.lower() == self.table and self.needs <= table.columns


def read_workspace(values: Values) -> Draft:
    """One file for each agent; its type is the category."""
    category, type_key, tags = sort_kind(values.get("type"))
    return Draft(text_of(values, "content"), category, type_key, tags=tags)


def read_agent_memories(values: Values) -> Draft:
    category, type_key, tags = sort_kind(values.get("type"))
    summary = values.get("summary") or ""
    source = {name: values[name] for name in ("source", "access_count") if values.get(name)}
    return Draft(
        text_of(values, "content"),
        category,
        type_key,
        description=summary if isinstance(summary, str) else "",
        tags=[*tags, *read_tags(values.get("tags"))],
        metadata={"imported": source} if source else {},
        importance=find_importance(str(values.get("importance") or "")),
    )


def read_named(values: Values) -> Draft:
    category, type_key, tags = sort_kind(values.get("type"))
    name, description = values.get("name") or "", values.get("description") or ""
    return Draft(
        text_of(values, "content"),
        category,
        type_key,
        title=name if isinstance(name, str) else "",
        description=description if isinstance(description, str) else "",
        tags=tags,
        metadata=read_metadata(values.get("metadata")),
    )


def read_session(values: Values) -> Draft:
    """Raises EntryError for a passage of a document, which is no memory."""
    if str(values.get("source") or "").lower() == "kb":
        raise EntryError("document")
    names = ("session_id", "doc_id")
    return Draft(
        text_of(values, "content"),
        tags=read_tags(values.get("tags")),
        metadata={"imported": {name: values[name] for name in names if values.get(name)}},
    )


# Of two that share a table's name the first whose columns are there.
FORMATS = (
    TableFormat(
        "sessions_db",
        "memories",
        frozenset({"session_id", "content"}),
        ("id", "session_id", "source", "doc_id", "content", "tags", "created_at"),
        read_session,
    ),
    TableFormat(
        "workspace_db",
        "memories",
        frozenset({"type", "content"}),
        ("id", "type", "content", "created_at"),
        read_workspace,
    ),
    TableFormat(
        "agent_memories_db",
        "agent_memories",
        frozenset({"agent_id", "content"}),
        (
            *("id", "agent_id", "type", "content", "summary", "tags"),
            *("importance", "source", "access_count", "created_at"),
        ),
        read_agent_memories,
    ),
    TableFormat(
        "named_db",
        "memory",
        frozenset({"agent_name", "content"}),
        (
            *("id", "agent_name", "user_id", "type", "name"),
            *("content", "description", "metadata", "created_at", "updated_at"),
        ),
        read_named,
    ),
)
NAMES = tuple(each.name for each in FORMATS)


def find_format(path: Path) -> TableFormat:
    """Raises FileError where no table is one that is known."""
    tables = list_tables(path)
    for each in FORMATS:
        if any(each.fits(table) for table in tables):
            return each
    names = {each.table for each in FORMATS}
    raise FileError("wrong_columns" if any(table.name.lower() in names for table in tables) else "no_table")


def read_table_rows(path: Path, name: str) -> Iterator[Entry]:
    """Raises FileError where the file is of another format."""
    chosen = next(each for each in FORMATS if each.name == name)
    found = next((table for table in list_tables(path) if chosen.fits(table)), None)
    if found is None:
        raise FileError("wrong_columns")
    columns = [column for column in chosen.reads if column in found.columns]
    for place, row in read_rows(path, found.name, columns):
        spot = Spot(place, place)
        if row is None:
            yield Fault(spot, "damaged")
            continue
        try:
            values = {column: as_text(column, value) for column, value in zip(columns, row, strict=True)}
        except EntryError as error:
            yield Fault(spot, error.code, error.details)
            continue
        yield read_row(spot, chosen, values)


def read_row(spot: Spot, chosen: TableFormat, values: Values) -> Entry:
    excerpt = clip(str(values.get("content") or ""), 200)
    try:
        draft = chosen.as_draft(values)
    except EntryError as error:
        return Fault(spot, error.code, error.details, excerpt)
    said_at, remark = read_date(values.get("created_at") or values.get("updated_at"))
    return ForeignEntry(
        spot,
        Draft(**(vars(draft) | {"said_at": said_at})),
        key=make_key(chosen.name, values.get("id"), draft.content),
        agent=as_name(values.get("agent_name") or values.get("agent_id")),
        person=as_name(values.get("user_id")),
        remark=remark,
    )


def as_text(column: str, value: Any) -> Any:
    """Texts come as bytes, so that one which is none doesn't end the reading. Raises EntryError."""
    if not isinstance(value, bytes):
        return value
    text, is_guessed = decode(value)
    if is_guessed:
        raise EntryError("binary", column=column)
    return text


def text_of(values: Values, column: str) -> str:
    """Raises EntryError."""
    value = values.get(column)
    if value is None:
        raise EntryError("empty", column=column)
    if not isinstance(value, str):
        raise EntryError("wrong_type", column=column)
    return value


def sort_kind(word: Any) -> tuple[str, str, list[str]]:
    """Category, type key, and the word as a tag where it is neither."""
    text = str(word or "").strip()
    category, type_key = find_category(text), find_type_key(text)
    tags = [text] if text and not category and not type_key else []
    if category == "procedural" and not type_key:
        type_key = "feedback"
    return category or default_category(type_key), type_key or "user", tags


def read_tags(value: Any) -> list[str]:
    """Written as JSON. Raises EntryError for what is none; there are none where nothing is said."""
    if value is None or value == "":
        return []
    try:
        tags = read_json(value) if isinstance(value, str) else value
    except ValueError:
        raise EntryError("not_json", column="tags") from None
    if not isinstance(tags, list):
        raise EntryError("wrong_type", column="tags")
    return [str(tag) for tag in tags if isinstance(tag, str | int)]


def read_metadata(value: Any) -> dict[str, Any]:
    if value is None or value == "":
        return {}
    try:
        metadata = read_json(value) if isinstance(value, str) else value
    except ValueError:
        raise EntryError("not_json", column="metadata") from None
    if not isinstance(metadata, dict):
        raise EntryError("wrong_type", column="metadata")
    return metadata
