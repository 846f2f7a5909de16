"""Word documents, by mammoth: headings, lists, tables, footnotes, text boxes; what was struck out is left out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.parsers.expat import ExpatError

import mammoth

from knowledge.readers import html
from knowledge.readers.packages import opened
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.sections import Section

# WPS and older Chinese Words name their styles in Chinese.
STYLES = "\n".join(
    ["p[style-name='Title'] => h1:fresh", "p[style-name='标题'] => h1:fresh"]
    + [f"p[style-name='标题 {level}'] => h{level}:fresh" for level in range(1, 7)]
    + [f"p[style-name='Heading {level}'] => h6:fresh" for level in range(7, 10)]
)


def read(reading: Reading) -> Iterator[Section]:
    reading.progress("reading", 0, 1)
    with opened(reading), reading.open() as file, warnings.catch_warnings(action="ignore"):
        text = convert(file)
    if not text:
        raise ParseError(Reason.EMPTY, "a document without a word")
    yield from html.sections_of(f"<body>{text}</body>", is_page=False)


def convert(file: BinaryIO) -> str:
    """The document as HTML. Raises ParseError for all that mammoth says of broken ones, which is of many kinds."""
    try:
        return str(
            mammoth.convert_to_html(
                file, style_map=STYLES, convert_image=without_picture, include_embedded_style_map=False
            ).value
        )
    except (ExpatError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise ParseError(Reason.CORRUPT, f"docx: {error!r}"[:200]) from error


def without_picture(_image: Any) -> list[Any]:
    """Pictures would come as megabytes of base64."""
    return []
