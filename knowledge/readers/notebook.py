"""Jupyter notebooks: their notes, their code, and what the code printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from knowledge.readers import markdown
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.sections import Section

# Characters of what one cell printed.
LONGEST_OUTPUT = 10_000


def read(reading: Reading) -> Iterator[Section]:
    """Notes cut at their headings; code and its output stand under the heading that came last."""
    try:
        notebook = json.loads(reading.text())
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise ParseError(Reason.CORRUPT, f"no notebook: {error!r}"[:200]) from error
    path: tuple[str, ...] = ()
    cut = 0
    for cell in cells if isinstance(cells, list) else []:
        if not isinstance(cell, dict):
            continue
        source = joined(cell.get("source", cell.get("input", "")))
        if cell.get("cell_type") != "code":
            for section in markdown.sections_of(source):
                path = section.heading_path or path
                yield section
            continue
        yield Section(source, path, kind="code")
        texts = list(outputs(cell))
        cut += sum(len(text) > LONGEST_OUTPUT for text in texts)
        yield Section("\n".join(text[:LONGEST_OUTPUT] for text in texts), path)
    if cut:
        reading.remark(Oddity.OUTPUT_CUT, str(cut))


def outputs(cell: dict[str, Any]) -> Iterator[str]:
    """The texts that a code cell left behind; pictures are none."""
    for output in cell.get("outputs") or []:
        if isinstance(output, dict):
            found = output.get("data") if isinstance(output.get("data"), dict) else output
            yield joined(output.get("text") or (found or {}).get("text/plain") or "")


def joined(lines: Any) -> str:
    """Notebooks keep a text as one string or as a list of lines."""
    return "".join(str(line) for line in lines) if isinstance(lines, list) else str(lines)
