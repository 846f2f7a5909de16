"""Which module reads which kind; named by their paths, so that a child loads only the libraries that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from knowledge.readers.kinds import kind_of
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.sections import Section

READERS = {
    "plain": "knowledge.readers.plain.read",
    "code": "knowledge.readers.plain.read_code",
    "markdown": "knowledge.readers.markdown.read",
    "csv": "knowledge.readers.delimited.read",
    "json": "knowledge.readers.json_text.read",
    "jsonl": "knowledge.readers.json_text.read_lines",
    "notebook": "knowledge.readers.notebook.read",
    "html": "knowledge.readers.html.read",
    "pdf": "knowledge.readers.pdf.read",
    "docx": "knowledge.readers.docx.read",
    "pptx": "knowledge.readers.pptx.read",
    "workbook": "knowledge.readers.workbook.read",
    "ods": "knowledge.readers.workbook.read",
    "epub": "knowledge.readers.epub.read",
    "mail": "knowledge.readers.mail.read",
}


def read(reading: Reading) -> Iterator[Section]:
    """The sections of a file of any kind that is known. Raises ParseError."""
    if reading.size() > reading.limits.size:
        raise ParseError(Reason.TOO_LARGE, f"{reading.size()} bytes")
    kind = kind_of(reading)
    if kind not in READERS:
        raise ParseError(Reason.UNSUPPORTED, kind)
    if not reading.depth:
        reading.tell("kind", kind)
    return load(READERS[kind])(reading)


def load(path: str) -> Callable[[Reading], Iterator[Any]]:
    module, _, name = path.rpartition(".")
    function: Callable[[Reading], Iterator[Any]] = getattr(import_module(module), name)
    return function
