"""Text as it is: notes, logs, source code."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.readers.reading import Reading
from knowledge.readers.sections import Section


def read(reading: Reading) -> Iterator[Section]:
    yield Section(reading.text())


def read_code(reading: Reading) -> Iterator[Section]:
    yield Section(reading.text(), kind="code")
