"""Slides: titles, texts, tables and speaker's notes, in the order of the show.

Read straight from the XML: python-pptx needs Pillow and a writer of spreadsheets to say no more than this.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator

from lxml import etree

from knowledge.readers.outline import Outline
from knowledge.readers.packages import opened, read_xml
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.sections import Section

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
# What stands on every page, and numbers it.
REPEATED = {"sldNum", "dt", "ftr", "hdr", "sldImg"}


def read(reading: Reading) -> Iterator[Section]:
    with opened(reading) as package:
        names = slide_names(package)
        reading.found(pages=len(names))
        damaged = 0
        for number, name in enumerate(names, 1):
            reading.progress("reading", number, len(names))
            try:
                yield from slide(package, name, number)
            except (ParseError, zipfile.BadZipFile) as error:
                damaged += 1
                reading.remark(Oddity.PART_DAMAGED, f"slide {number}: {error}"[:200])
        if names and damaged == len(names):
            raise ParseError(Reason.CORRUPT, f"none of {damaged} slides can be read")


def slide_names(package: zipfile.ZipFile) -> list[str]:
    """The members that hold the slides, in the order in which they are shown."""
    targets = relations(package, "ppt/presentation.xml")
    listed = read_xml(package, "ppt/presentation.xml").iter(f"{P}sldId")
    wanted = [targets.get(entry.get(f"{R}id", ""), ("", ""))[1] for entry in listed]
    known = set(package.namelist())
    return [name for name in wanted if name in known]


def relations(package: zipfile.ZipFile, name: str) -> dict[str, tuple[str, str]]:
    """What a part refers to, by id: the last word of its type, and the member's name."""
    folder, file = posixpath.split(name)
    path = f"{folder}/_rels/{file}.rels"
    if path not in package.namelist():
        return {}
    return {
        entry.get("Id", ""): (entry.get("Type", "").rpartition("/")[2], resolved(folder, entry.get("Target", "")))
        for entry in read_xml(package, path)
    }


def resolved(folder: str, target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))


def slide(package: zipfile.ZipFile, name: str, number: int) -> Iterator[Section]:
    outline = Outline(page=number)
    tree = read_xml(package, name)
    shapes = list(tree.iter(f"{P}sp", f"{P}graphicFrame"))
    for shape in sorted(shapes, key=lambda shape: placeholder(shape) not in {"title", "ctrTitle"}):
        yield from from_shape(shape, outline)
    yield from outline.flush()
    for kind, target in relations(package, name).values():
        if kind == "notesSlide" and target in package.namelist():
            yield from notes(package, target, outline)
    yield from outline.close()


def from_shape(shape: etree._Element, outline: Outline) -> Iterator[Section]:
    kind = placeholder(shape)
    if kind in REPEATED:
        return
    if kind in {"title", "ctrTitle"}:
        yield from outline.heading(1, " ".join(paragraphs(shape)))
        return
    tables = list(shape.iter(f"{A}tbl"))
    for table in tables:
        yield from outline.table(rows(table))
    for line in [] if tables else paragraphs(shape):
        outline.add(line)


def rows(table: etree._Element) -> Iterator[list[str]]:
    """Cells of each row; a cell that is merged says what the first of them says."""
    above: list[str] = []
    for row in table.iter(f"{A}tr"):
        filled: list[str] = []
        for column, cell in enumerate(row.iter(f"{A}tc")):
            text = " ".join(paragraphs(cell))
            if cell.get("hMerge") in {"1", "true"} and filled:
                text = filled[-1]
            if cell.get("vMerge") in {"1", "true"} and column < len(above):
                text = above[column]
            filled.append(text)
        above = filled
        yield filled


def notes(package: zipfile.ZipFile, name: str, outline: Outline) -> Iterator[Section]:
    for shape in read_xml(package, name).iter(f"{P}sp"):
        if placeholder(shape) not in REPEATED:
            for line in paragraphs(shape):
                outline.add(line)
    yield from outline.flush()


def placeholder(shape: etree._Element) -> str:
    found = next(shape.iter(f"{P}ph"), None)
    return "" if found is None else found.get("type", "body")


def paragraphs(shape: etree._Element) -> list[str]:
    """Its lines that hold something; a line break inside a paragraph is a space."""
    lines = []
    for paragraph in shape.iter(f"{A}p"):
        parts = [part.text or "" if part.tag == f"{A}t" else " " for part in paragraph.iter(f"{A}t", f"{A}br")]
        lines.append("".join(parts).strip())
    return [line for line in lines if line]
