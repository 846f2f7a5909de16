"""Rows as lines of our own format, and back as columns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Model

from memories.drafts import DraftError, clean_content
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from memories.profiles.editing import LONGEST
from memories.profiles.souls import read_soul
from memories.transfer.columns import (
    number_fields,
    plain_fields,
    read_columns,
    read_value,
    short_name,
    sort_keys,
    write_columns,
)
from memories.transfer.entries import EntryError
from memories.transfer.numbers import Numbers
from memories.transfer.pointers import Uids, as_uid, read_before, write_before, write_reason
from memories.transfer.reasons import read_reason

FORMAT, VERSION = "xiajiao-memories", 1
MOST_TAGS = 200
LINE_ENDS = re.compile("[\x85\u2028\u2029]")
# Left out: ids written apart, what is made anew (hash, vector, doubts), and what belongs to this installation.
OF_AGENT = ("uid", "vector_store")
OF_TYPE = ("is_system",)
OF_MEMORY = ("uid", "content_hash", "title_key", "embedded_with", "looked_version", "message_ids")
OF_REVISION = ("uid", "before", "reason")


def write_line(values: Mapping[str, Any]) -> bytes:
    """One line for whatever splits a text into lines: JSON escapes all their ends but those of Unicode."""
    text = json.dumps(values, ensure_ascii=False)
    return LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def write_header(counts: Mapping[str, int]) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, **counts}


def write_agent(agent: Agent) -> dict[str, Any]:
    """Without its provider: that, and the key to it, stay where they are."""
    return {
        "record": "agent",
        "uid": str(agent.uid),
        "owner": agent.owner.get_username(),
        **write_columns(agent, OF_AGENT),
        "soul": read_soul(agent),
    }


def write_type(memory_type: MemoryType) -> dict[str, Any]:
    return {"record": "type", **write_columns(memory_type, OF_TYPE)}


def write_memory(memory: Memory, numbers: Numbers) -> dict[str, Any]:
    successor = memory.superseded_by
    return {
        "record": "memory",
        "uid": str(memory.uid),
        "agent": str(memory.agent.uid),
        "user": memory.user.get_username() if memory.user else None,
        "type": memory.type.key,
        **write_columns(memory, OF_MEMORY),
        **write_numbers(memory, numbers),
        "messages": numbers.write_all(memory.message_ids),
        "superseded_by": str(successor.uid) if successor else None,
    }


def write_revision(revision: MemoryRevision, memory_uid: UUID, uids: Uids, numbers: Numbers) -> dict[str, Any]:
    reason = write_reason(revision.reason, uids)
    # The name that an imported revision came with, where it is nobody's here.
    said = reason.pop("by", None)
    return {
        "record": "revision",
        "uid": str(revision.uid),
        "memory": str(memory_uid),
        "user": revision.user.get_username() if revision.user else said,
        **write_columns(revision, OF_REVISION),
        **write_numbers(revision, numbers),
        "reason": sort_keys(reason),
        "before": sort_keys(write_before(revision.before, uids, numbers)),
    }


def write_numbers(row: Model, numbers: Numbers) -> dict[str, str | None]:
    return {short_name(name): numbers.write(getattr(row, name)) for name in number_fields(type(row))}


def read_numbers(model: type[Model], values: Mapping[str, Any], numbers: Numbers) -> dict[str, int | None]:
    """Inside a transaction. Raises EntryError."""
    names = number_fields(model)
    return {name: numbers.read(values.get(short_name(name)), short_name(name)) for name in names}


def read_uid(values: Mapping[str, Any], name: str = "uid") -> UUID:
    """Raises EntryError."""
    uid = as_uid(values.get(name))
    if uid is None:
        raise EntryError("no_uid", column=name)
    return uid


def read_agent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Raises EntryError."""
    columns = read_columns(Agent, values, OF_AGENT)
    if not columns["name"].strip():
        raise EntryError("empty", column="name")
    try:
        Agent(**columns).clean_fields(exclude={"owner", "provider"})
    except ValidationError as error:
        raise EntryError("wrong_type", column=next(iter(error.message_dict))) from None
    return columns | {"uid": read_uid(values)}


def read_agent_soul(values: Mapping[str, Any]) -> str | None:
    """None where the file is older than SOULs are. Raises EntryError."""
    text = values.get("soul")
    if text is None:
        return None
    if not isinstance(text, str):
        raise EntryError("wrong_type", column="soul")
    if len(text) > LONGEST:
        raise EntryError("too_long", column="soul", most=LONGEST)
    return text


def read_type(values: Mapping[str, Any]) -> dict[str, Any]:
    """Raises EntryError."""
    columns = read_columns(MemoryType, values, OF_TYPE)
    try:
        MemoryType(**columns).clean_fields()
    except ValidationError:
        raise EntryError("wrong_type", column="key") from None
    return columns


def read_new_type(values: Mapping[str, Any]) -> dict[str, Any]:
    """Of a type that is to be made. Raises EntryError where another one is called so."""
    columns = read_type(values)
    try:
        MemoryType(**columns).clean()
    except ValidationError:
        raise EntryError("type_word", type=columns["key"]) from None
    return columns


def read_memory(values: Mapping[str, Any]) -> dict[str, Any]:
    """Plain columns, those that agent, person, type and successor are found by left aside. Raises EntryError."""
    columns = read_columns(Memory, values, OF_MEMORY)
    try:
        clean_content(columns["content"])
    except DraftError:
        raise EntryError("empty", column="content") from None
    if len(columns["tags"]) > MOST_TAGS:
        raise EntryError("wrong_type", column="tags")
    return columns | {"uid": read_uid(values)}


def read_memory_numbers(values: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Inside a transaction. Raises EntryError."""
    messages = values.get("messages", [])
    if not isinstance(messages, list):
        raise EntryError("wrong_type", column="messages")
    ids = [numbers.read(word, "messages") for word in messages]
    return read_numbers(Memory, values, numbers) | {"message_ids": ids}


def read_revision(values: Mapping[str, Any], types: dict[str, int], numbers: Numbers) -> dict[str, Any]:
    """Inside a transaction. Raises EntryError."""
    columns = read_columns(MemoryRevision, values, OF_REVISION)
    reason, before = values.get("reason", {}), values.get("before", {})
    if not isinstance(reason, dict) or not isinstance(before, dict):
        raise EntryError("wrong_type", column="before")
    for field in plain_fields(Memory, OF_MEMORY):
        if field.attname in before:
            read_value(field, before[field.attname])
    return columns | {
        "uid": read_uid(values),
        "reason": {name: value for name, value in read_reason(reason).items() if name != "by"},
        "before": read_before(before, types, numbers),
        **read_numbers(MemoryRevision, values, numbers),
    }
