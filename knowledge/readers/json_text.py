"""JSON and JSON lines, so laid out that a person can read a piece of it and that its escapes are characters."""

from __future__ import annotations

import json
from collections.abc import Iterator

from knowledge.readers.reading import Reading
from knowledge.readers.sections import Section


def read(reading: Reading) -> Iterator[Section]:
    text = reading.text()
    yield Section(lay_out(text, indent=1), kind="code")


def read_lines(reading: Reading) -> Iterator[Section]:
    yield Section("\n".join(lay_out(line) for line in reading.text().split("\n")), kind="code")


def lay_out(text: str, indent: int | None = None) -> str:
    """The same data, `\\u4e2d` written as 中; text that is no JSON comes back as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=indent)
    except (ValueError, RecursionError):
        return text
