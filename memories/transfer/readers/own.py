"""Our own JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memories.transfer.entries import Entry, Fault, FileError, Record, Spot
from memories.transfer.lines import read_lines
from memories.transfer.records import FORMAT, VERSION
from xiajiao.texts import clip, read_json

KINDS = ("agent", "type", "memory", "revision")


def read_own(path: Path) -> Iterator[Entry]:
    """Raises FileError where a newer version wrote it."""
    with path.open("rb") as file:
        for number, position, line in read_lines(file):
            spot = Spot(number, position)
            if line is None:
                yield Fault(spot, "line_too_long")
            elif line.strip():
                yield read_record(spot, line)


def read_record(spot: Spot, line: bytes) -> Entry:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return Fault(spot, "not_utf8", excerpt=line[:200].decode(errors="replace"))
    try:
        values = read_json(text)
    except ValueError:
        return Fault(spot, "not_json", excerpt=clip(text, 200))
    if not isinstance(values, dict):
        return Fault(spot, "not_an_object", excerpt=clip(text, 200))
    if "format" in values and "record" not in values:
        return read_header(spot, values)
    if values.get("record") not in KINDS:
        return Fault(spot, "unknown_record", excerpt=clip(text, 200))
    return Record(spot, values["record"], values)


def read_header(spot: Spot, values: dict[str, Any]) -> Entry:
    """Raises FileError."""
    version = values.get("version")
    if values["format"] != FORMAT or not isinstance(version, int):
        return Fault(spot, "unknown_record")
    if version > VERSION:
        raise FileError("newer_version")
    return Record(spot, "header", values)


def is_own(head: bytes) -> bool:
    """By the first line that says anything."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n")[0]
    try:
        values = json.loads(first)
    except (ValueError, RecursionError):
        return f'"format": "{FORMAT}"'.encode() in first
    return isinstance(values, dict) and (values.get("format") == FORMAT or values.get("record") in KINDS)
