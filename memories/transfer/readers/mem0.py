"""What mem0's `get_all` returns, written to a file: `{"results": [...]}` or the list alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from memories.drafts import Draft
from memories.transfer.entries import Entry, EntryError, Fault, ForeignEntry, Spot
from memories.transfer.lines import decode
from memories.transfer.moments import guess_moment
from memories.transfer.readers.objects import ITEM, read_objects
from memories.transfer.words import find_category, find_type_key
from xiajiao.texts import clip, read_json

# Of the item itself; the rest of what it says goes into the metadata.
SOURCE = ("id", "user_id", "agent_id", "run_id", "hash")


def read_mem0(path: Path) -> Iterator[Entry]:
    with path.open("rb") as file:
        for spot, raw, is_whole in read_objects(file):
            yield from read_object(spot, raw, is_whole)


def read_object(spot: Spot, raw: bytes, is_whole: bool) -> Iterator[Entry]:
    """Where it is broken, those that it has swallowed by an unclosed quotation come out again."""
    text, is_guessed = decode(raw)
    try:
        if not is_whole:
            raise ValueError("It has no end.")
        values = read_json(text)
    except ValueError:
        swallowed = ITEM.search(raw, 1)
        if swallowed is None:
            yield Fault(spot, "not_json", excerpt=clip(text, 200))
            return
        yield Fault(spot, "not_json", excerpt=clip(decode(raw[: swallowed.start()])[0], 200))
        yield from reread(spot, raw, swallowed.start())
        return
    try:
        yield read_item(spot, values, "guessed_encoding" if is_guessed else "")
    except EntryError as error:
        yield Fault(spot, error.code, error.details, clip(text, 200))


def reread(spot: Spot, raw: bytes, start: int) -> Iterator[Entry]:
    """The items inside a broken one, each from its beginning to where the next begins."""
    begins = [found.start() for found in ITEM.finditer(raw, start)] + [len(raw)]
    for begin, end in pairwise(begins):
        line = Spot(spot.line + raw.count(b"\n", 0, begin), spot.position)
        piece = raw[begin:end]
        last = piece.rfind(b"}")
        yield from read_object(line, piece[: last + 1], last > 0)


def read_item(spot: Spot, item: dict[str, Any], remark: str) -> ForeignEntry:
    """Raises EntryError."""
    content = item.get("memory") or item.get("text") or item.get("content")
    if not isinstance(content, str):
        raise EntryError("empty" if content is None else "wrong_type", column="memory")
    metadata = item.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise EntryError("wrong_type", column="metadata")
    said_at, date_remark = read_date(item.get("created_at") or item.get("updated_at"))
    category, type_key, tags = sort_words([*as_list(item.get("categories")), *as_list(metadata.get("category"))])
    source = {name: item[name] for name in SOURCE if item.get(name)}
    draft = Draft(
        content=content,
        category=category or "semantic",
        type_key=type_key or ("feedback" if category == "procedural" else "user"),
        tags=tags,
        metadata=metadata | {"mem0": source},
        said_at=said_at,
    )
    return ForeignEntry(
        spot,
        draft,
        key=make_key("mem0", item.get("id"), content),
        agent=as_name(item.get("agent_id")),
        person=as_name(item.get("user_id")),
        remark=remark or date_remark,
    )


def make_key(format: str, id: Any, content: str) -> str:
    """Names one wording of one memory there."""
    return hashlib.sha256(f"{format}\n{id or ''}\n{content}".encode(errors="replace")).hexdigest()


def read_date(value: Any) -> tuple[Any, str]:
    """The moment, or none and a remark that it can't be read."""
    try:
        return guess_moment(value), ""
    except (ValueError, OverflowError):
        return None, "no_date"


def sort_words(words: list[str]) -> tuple[str, str, list[str]]:
    """Category, type key and what is left as tags."""
    category = next(filter(None, map(find_category, words)), "")
    type_key = next(filter(None, map(find_type_key, words)), "")
    return category, type_key, [word for word in words if not find_category(word)]


def as_list(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [str(item) for item in items if isinstance(item, str | int) and str(item).strip()]


def as_name(value: Any) -> str:
    return clip(str(value).strip(), 80) if isinstance(value, str | int) else ""
