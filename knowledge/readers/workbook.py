"""Spreadsheets of every age (xlsx, xlsm, xlsb, xls, ods), by calamine: each sheet one table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, load_workbook

from knowledge.readers.packages import opened, unpack_all
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.rows import tables
from knowledge.readers.sections import Section

# Cells of a sheet, empty ones included: calamine keeps some forty bytes for each between the first and the last.
MOST_CELLS = 20_000_000


def read(reading: Reading) -> Iterator[Section]:
    if reading.head(2) == b"PK":
        with opened(reading) as package:
            unpack_all(package, reading.size(), reading.limits)
    try:
        with reading.open() as file, load_workbook(file) as workbook:
            yield from sheets(workbook, reading)
    except PasswordError as error:
        raise ParseError(Reason.ENCRYPTED, str(error)[:200]) from error
    except (CalamineError, OSError) as error:
        raise ParseError(Reason.CORRUPT, str(error)[:200]) from error


def sheets(workbook: CalamineWorkbook, reading: Reading) -> Iterator[Section]:
    names = workbook.sheet_names
    reading.found(sheets=len(names))
    left = reading.limits.rows
    for number, name in enumerate(names, 1):
        reading.progress("reading", number, len(names))
        try:
            sheet = workbook.get_sheet_by_name(name)
        except CalamineError as error:
            reading.remark(Oddity.PART_DAMAGED, f"{name}: {error}"[:200])
            continue
        left -= sheet.height
        if left < 0 or sheet.total_height * sheet.total_width > MOST_CELLS:
            raise ParseError(Reason.TOO_LARGE, f"more than {reading.limits.rows} rows")
        yield from tables(rows(sheet), Section("", sheet=name))


def rows(sheet: CalamineSheet) -> Iterator[list[str]]:
    """The rows as texts; a merged cell says its value in each row and column that it covers."""
    merges = Merges(sheet)
    for number, values in enumerate(sheet.iter_rows()):
        yield merges.fill(number, [text_of(value) for value in values])


class Merges:
    """The merged cells of a sheet, spread while its rows go by."""

    def __init__(self, sheet: CalamineSheet) -> None:
        self.first_column = sheet.start[1] if sheet.start else 0
        self.waiting = sorted(sheet.merged_cell_ranges or [], reverse=True)
        self.active: list[tuple[int, int, int, str]] = []

    def fill(self, number: int, row: list[str]) -> list[str]:
        self.active = [merge for merge in self.active if merge[0] >= number]
        while self.waiting and self.waiting[-1][0][0] <= number:
            (_top, left), (bottom, right) = self.waiting.pop()
            left, right = left - self.first_column, min(right - self.first_column, len(row) - 1)
            if 0 <= left < len(row) and row[left]:
                self.active.append((bottom, left, right, row[left]))
        for _bottom, left, right, text in self.active:
            row[left : right + 1] = [text] * (right + 1 - left)
        return row


def text_of(value: Any) -> str:
    """A cell as a person reads it: 3 for 3.0, a date without midnight."""
    match value:
        case bool():
            return str(value).upper()
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case dt.datetime():
            return value.isoformat(" ").removesuffix(" 00:00:00")
        case dt.timedelta() | dt.date() | dt.time():
            return str(value)
        case _:
            return str(value)
