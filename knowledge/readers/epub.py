"""Books: their chapters in reading order."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from knowledge.readers import html
from knowledge.readers.encodings import decode
from knowledge.readers.html_blocks import words
from knowledge.readers.packages import opened, read_xml
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.sections import Section

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"


def read(reading: Reading) -> Iterator[Section]:
    with opened(reading) as package:
        opf = next(read_xml(package, CONTAINER).iter("{*}rootfile"), None)
        name = "" if opf is None else opf.get("full-path", "")
        book = read_xml(package, name)
        chapters = chapter_names(package, book, posixpath.dirname(name))
        if locked(package) & set(chapters):
            raise ParseError(Reason.ENCRYPTED, "a book with digital rights management")
        title = next((words(element) for element in book.iter("{*}title")), "")
        yield from read_chapters(package, chapters, (title,) if title else (), reading)


def read_chapters(
    package: zipfile.ZipFile, chapters: list[str], root: tuple[str, ...], reading: Reading
) -> Iterator[Section]:
    """Each by itself: a damaged one is remarked. Raises ParseError where all are."""
    damaged = 0
    for number, chapter in enumerate(chapters, 1):
        reading.progress("reading", number, len(chapters))
        try:
            yield from html.sections_of(decode(package.read(chapter)).text, root, is_page=False)
        except (ParseError, zipfile.BadZipFile) as error:
            damaged += 1
            reading.remark(Oddity.PART_DAMAGED, f"{chapter}: {error}"[:200])
    if damaged == len(chapters):
        raise ParseError(Reason.CORRUPT, f"none of {damaged} chapters can be read")


def chapter_names(package: zipfile.ZipFile, book: etree._Element, folder: str) -> list[str]:
    """The members in the order of the spine."""
    items = {item.get("id", ""): item.get("href", "") for item in book.iter("{*}item")}
    wanted = [items.get(entry.get("idref", ""), "") for entry in book.iter("{*}itemref")]
    paths = [posixpath.normpath(posixpath.join(folder, unquote(href))) for href in wanted if href]
    known = set(package.namelist())
    return [path for path in dict.fromkeys(paths) if path in known]


def locked(package: zipfile.ZipFile) -> set[str]:
    """The members that are encrypted; fonts often are, which locks nothing."""
    if ENCRYPTION not in package.namelist():
        return set()
    return {unquote(element.get("URI", "")) for element in read_xml(package, ENCRYPTION).iter("{*}CipherReference")}
