"""PDF by PDFium; by pypdf where PDFium can't open it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

import pypdfium2
from pypdfium2 import raw

from knowledge.readers.formats import load
from knowledge.readers.pdf_lines import unwrap
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.sections import LONGEST_TITLE, Section

# Page numbers that a remark lists.
LISTED = 20
# Named by its path, since loading pypdf takes longer than reading a short file.
FALLBACK = "knowledge.readers.pdf_fallback.pages"
Headings = list[tuple[int, tuple[str, ...]]]


def read(reading: Reading) -> Iterator[Section]:
    """A section a page, under the bookmarks that lead to it.

    Owner passwords, which only forbid printing and the like, don't matter. Raises ParseError `encrypted`, `corrupt`,
    and `no_text_layer` where no page has text.
    """
    try:
        document = pypdfium2.PdfDocument(reading.origin)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise ParseError(Reason.ENCRYPTED, "the document opens with a password only") from error
        yield from counted(load(FALLBACK)(reading), reading, [])
        return
    try:
        check_count(len(document), reading)
        yield from counted(pages(document), reading, headings(document))
    finally:
        document.close()


def check_count(count: int, reading: Reading) -> None:
    if count > reading.limits.pages:
        raise ParseError(Reason.TOO_LARGE, f"{count} pages")
    reading.found(pages=count)


def pages(document: pypdfium2.PdfDocument) -> Iterator[tuple[int, int, str | None]]:
    """Number and count of each page, and its text; None for a damaged one."""
    count = len(document)
    for index in range(count):
        try:
            page = document[index]
            text_page = page.get_textpage()
            text = text_page.get_text_range()
            text_page.close()
            page.close()
        except pypdfium2.PdfiumError:
            text = None
        yield index + 1, count, text


def headings(document: pypdfium2.PdfDocument) -> Headings:
    """The bookmarks as pairs: page, path of titles; in the order of pages."""
    found, path = [], list[str]()
    for mark in document.get_toc():
        title = re.sub(r"\s+", " ", mark.get_title()).strip()[:LONGEST_TITLE]
        path = [*path[: mark.level], title]
        target = mark.get_dest()
        index = target.get_index() if target else None
        if title and index is not None and index >= 0:
            found.append((index + 1, tuple(path)))
    return sorted(found, key=lambda heading: heading[0])


def counted(found: Iterator[tuple[int, int, str | None]], reading: Reading, marks: Headings) -> Iterator[Section]:
    """The sections of the pages; at the end, what is to be said of those that have no text."""
    textless, damaged, total = list[int](), list[int](), 0
    path: tuple[str, ...] = ()
    for number, total, text in found:
        reading.progress("reading", number, total)
        shown, path = headings_of_page(number, marks, path)
        if text and text.strip():
            yield Section(unwrap(text), shown, page=number)
        else:
            (damaged if text is None else textless).append(number)
    judge(textless, damaged, total, reading)


def headings_of_page(number: int, marks: Headings, path: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands above this page, and what goes on after it. Where several chapters begin on it, what they share."""
    begun = []
    while marks and marks[0][0] <= number:
        begun.append(marks.pop(0)[1])
    if not begun:
        return path, path
    levels = takewhile(lambda titles: len(set(titles)) == 1, zip(*begun, strict=False))
    return tuple(titles[0] for titles in levels) or begun[-1], begun[-1]


def judge(textless: list[int], damaged: list[int], total: int, reading: Reading) -> None:
    """Raises ParseError where no page had text, and remarks on the pages that had none."""
    if len(textless) == total:
        raise ParseError(Reason.NO_TEXT_LAYER, f"none of {total} pages has text")
    if len(damaged) + len(textless) == total:
        raise ParseError(Reason.CORRUPT, f"none of {total} pages can be read")
    if damaged:
        reading.remark(Oddity.PAGES_DAMAGED, f"{len(damaged)}/{total}: {listing(damaged)}")
    if textless:
        reading.remark(Oddity.PAGES_WITHOUT_TEXT, f"{len(textless)}/{total}: {listing(textless)}")


def listing(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:LISTED]))
    return shown + (" …" if len(numbers) > LISTED else "")
