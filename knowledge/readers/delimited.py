"""CSV and TSV, with whatever stands between the cells."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.rows import tables
from knowledge.readers.sections import Section

DELIMITERS = (",", "\t", ";", "|")
# Rows that say which one it is.
SAMPLE = 50


def read(reading: Reading) -> Iterator[Section]:
    """As one table; where its quotes can't be understood, as plain text."""
    text = reading.text()
    csv.field_size_limit(len(text) + 1)
    try:
        delimiter = find_delimiter(text)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        sections = list(tables(bounded(rows, reading), Section("")))
    except csv.Error:
        sections = [Section(text)]
    yield from sections


def find_delimiter(text: str) -> str:
    """That which cuts the first rows into most cells, the same number in most of them; a comma in doubt."""
    scores = {delimiter: score(text, delimiter) for delimiter in DELIMITERS}
    return max(scores, key=lambda delimiter: scores[delimiter])


def score(text: str, delimiter: str) -> float:
    rows = list(islice(csv.reader(io.StringIO(text[:200_000], newline=""), delimiter=delimiter), SAMPLE))
    widths = Counter(len(row) for row in rows if row)
    if not widths:
        return 0
    width, count = widths.most_common(1)[0]
    return count / widths.total() * (width > 1) + width / 10_000


def bounded(rows: Iterator[list[str]], reading: Reading) -> Iterator[list[str]]:
    """The rows, until there are more than the limits allow."""
    most = reading.limits.rows
    for number, row in enumerate(rows, 1):
        if number > most:
            raise ParseError(Reason.TOO_LARGE, f"more than {most} rows")
        yield row
