"""Look for what should be gone: in each column of each table, and in each file of the data folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

CHUNK = 2_000  # rows
# The database's own; and the index of SQLite, which can't be read as a table: its pages and its vocabulary can.
SKIPPED = ("sqlite_", "pg_", "sql_")
UNREADABLE = {"xiajiao_fulltext"}


def search_tables(traces: Sequence[bytes]) -> tuple[dict[str, int], int]:
    """Cells with a trace in them, by table and column; and how many tables were looked through."""
    found: Counter[str] = Counter()
    tables = [name for name in list_tables() if not name.startswith(SKIPPED) and name not in UNREADABLE]
    for table in tables:
        found += search_table(table, traces)
    return dict(found), len(tables)


def list_tables() -> list[str]:
    with connection.cursor() as cursor:
        return sorted(connection.introspection.table_names(cursor))


def search_table(table: str, traces: Sequence[bytes]) -> Counter[str]:
    found: Counter[str] = Counter()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  a name of the database's own
        columns = [column[0] for column in cursor.description]
        while rows := cursor.fetchmany(CHUNK):
            for row in rows:
                held = [name for name, value in zip(columns, row, strict=True) if holds(as_bytes(value), traces)]
                found.update(f"{table}.{name}" for name in held)
    return found


def as_bytes(value: Any) -> bytes:
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    return str(value).encode("utf-8", "surrogatepass")


def holds(text: bytes, traces: Iterable[bytes]) -> bool:
    lower = text.lower()
    return any(trace in text or trace in lower for trace in traces)


def search_files(traces: Sequence[bytes], folder: Path | None = None) -> tuple[dict[str, int], int]:
    """Traces by file, and how many files were read."""
    found: dict[str, int] = {}
    root = folder or settings.DATA_DIR
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    for path in files:
        text = path.read_bytes()
        lower = text.lower()
        count = sum(trace in text or trace in lower for trace in traces)
        if count:
            found[str(path.relative_to(root))] = count
    return found, len(files)
