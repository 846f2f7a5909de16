"""PDF by pypdf, which repairs what PDFium refuses; slower, so only then."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason

# What pypdf is known to raise on broken files beside its own errors.
BROKEN = (
    *(PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, NotImplementedError),
    *(OSError, ZeroDivisionError, AssertionError),
)


def pages(reading: Reading) -> Iterator[tuple[int, int, str | None]]:
    """Number and count of each page, and its text; None for a damaged one. Raises ParseError."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with reading.open() as file:
        try:
            document = PdfReader(file, strict=False)
            if document.is_encrypted and not document.decrypt(""):
                raise ParseError(Reason.ENCRYPTED, "the document opens with a password only")
            count = len(document.pages)
        except BROKEN as error:
            raise ParseError(Reason.CORRUPT, f"pdf: {error!r}"[:200]) from error
        if not count:
            raise ParseError(Reason.CORRUPT, "a PDF without pages")
        if count > reading.limits.pages:
            raise ParseError(Reason.TOO_LARGE, f"{count} pages")
        reading.found(pages=count)
        for index in range(count):
            try:
                yield index + 1, count, document.pages[index].extract_text()
            except BROKEN:
                yield index + 1, count, None
