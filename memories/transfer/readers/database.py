"""SQLite files of other systems, opened so that nothing in them runs and nothing is written, beside them neither."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from memories.transfer.entries import FileError

MAGIC = b"SQLite format 3\0"
# Bytes of one value.
LARGEST_VALUE = 32 * 1024 * 1024
# Of the header: 2 where changes are kept in a file beside it (https://www.sqlite.org/fileformat2.html, 1.3.3).
WAL_BYTE = 18
# Below every row's number; and how far (as a power of two) to look for rows behind a damaged page.
FIRST, FURTHEST = -(2**63), 20
ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_FUNCTION}
FUNCTIONS = {"count", "min"}
PRAGMAS = {"table_xinfo"}

Row = Sequence[object]
# Of a damaged file; what SQLite says of it may quote bytes that are no text.
FAULTS = (sqlite3.Error, OverflowError, UnicodeDecodeError)


@dataclass(frozen=True)
class Table:
    """A real table and the columns that it stores."""

    name: str
    columns: frozenset[str]


def open_database(path: Path) -> sqlite3.Connection:
    """Read-only and immutable: SQLite takes no lock, looks for no journal and believes no view or trigger.

    Raises FileError for what is no database.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise FileError("not_a_database")
    database = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True, isolation_level=None)
    # A text that is no UTF-8 is a fault of its row.
    database.text_factory = bytes
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    try:
        for setting in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
            database.execute(f"PRAGMA {setting}")
    except FAULTS:
        database.close()
        raise FileError("damaged") from None
    database.set_authorizer(authorize)
    return database


def authorize(action: int, first: str | None, second: str | None, _database: str | None, _by: str | None) -> int:
    is_allowed = action in ALLOWED
    if action == sqlite3.SQLITE_FUNCTION:
        is_allowed = second in FUNCTIONS
    if action == sqlite3.SQLITE_PRAGMA:
        is_allowed = first in PRAGMAS
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY


def list_tables(path: Path) -> list[Table]:
    """Raises FileError where the file is damaged, or all of it stands in a file that did not come along."""
    with closing(open_database(path)) as database:
        try:
            names = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
            tables = [read_table(database, name) for name, _sql in names.fetchall()]
        except FAULTS:
            raise FileError("damaged") from None
    if not tables and is_in_wal_mode(path):
        raise FileError("only_in_wal")
    return tables


def read_table(database: sqlite3.Connection, name: bytes) -> Table:
    """Generated columns are left out: what they say is computed by the file."""
    text = name.decode(errors="replace")
    rows = database.execute(f"PRAGMA table_xinfo({quote_name(text)})").fetchall()
    return Table(text, frozenset(row[1].decode(errors="replace").lower() for row in rows if row[6] == 0))


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def is_in_wal_mode(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(WAL_BYTE + 1)[WAL_BYTE:] == b"\x02"


def count_rows(path: Path, table: str) -> int:
    with closing(open_database(path)) as database:
        try:
            return int(database.execute(f"SELECT count(*) FROM {quote_name(table)}").fetchone()[0])  # noqa: S608
        except FAULTS:
            return 0


def read_rows(path: Path, table: str, columns: Sequence[str]) -> Iterator[tuple[int, Row | None]]:
    """Place from 1 on and the values of these columns, in the order of the rows; None for a row that can't be read.

    A damaged or an all too large row is stepped over; where nothing further can be found, it ends with a None.
    """
    selected = ", ".join(quote_name(column) for column in columns)
    with closing(open_database(path)) as database:
        if not has_row_numbers(database, table):
            yield from read_unnumbered(database, table, selected)
            return
        query = f"SELECT rowid, {selected} FROM {quote_name(table)} WHERE rowid > ? ORDER BY rowid"  # noqa: S608
        place, reached = 0, FIRST
        while True:
            try:
                for rowid, *values in database.execute(query, [reached]):
                    # In a damaged file they may go backwards, and reading on from there would never end.
                    place, reached = place + 1, max(reached, rowid)
                    yield place, values
                return
            except FAULTS:
                place += 1
            gap = find_following(database, table, reached)
            yield place, read_single(database, query, gap.rowid) if gap.is_next else None
            if gap.rowid is None or gap.rowid <= reached:
                return
            reached = gap.rowid if gap.is_next else gap.rowid - 1


def read_single(database: sqlite3.Connection, query: str, rowid: int | None) -> Row | None:
    """The row at which reading on has failed: it may be the one behind it that is at fault."""
    if rowid is None:
        return None
    try:
        found = database.execute(f"{query} LIMIT 1", [rowid - 1]).fetchone()
    except FAULTS:
        return None
    return found[1:] if found and found[0] == rowid else None


def has_row_numbers(database: sqlite3.Connection, table: str) -> bool:
    """Not so in a table WITHOUT ROWID."""
    try:
        database.execute(f"SELECT rowid FROM {quote_name(table)} LIMIT 0")  # noqa: S608
    except FAULTS:
        return False
    return True


def read_unnumbered(database: sqlite3.Connection, table: str, selected: str) -> Iterator[tuple[int, Row | None]]:
    """In the order of its key; what comes behind a damaged row can't be found."""
    place = 0
    try:
        for place, values in enumerate(database.execute(f"SELECT {selected} FROM {quote_name(table)}"), 1):  # noqa: S608
            yield place, values
    except FAULTS:
        yield place + 1, None


@dataclass(frozen=True)
class Gap:
    """Where reading goes on: at the very next row, or at one behind a damaged page; None: nowhere."""

    rowid: int | None
    is_next: bool


def find_following(database: sqlite3.Connection, table: str, reached: int) -> Gap:
    query = f"SELECT min(rowid) FROM {quote_name(table)} WHERE rowid > ?"  # noqa: S608
    for step in (0, *(2**power for power in range(FURTHEST))):
        try:
            found: int | None = database.execute(query, [reached + step]).fetchone()[0]
        except FAULTS:
            continue
        return Gap(found, is_next=step == 0)
    return Gap(None, is_next=False)
