"""Files that a person may hand in, written after the descriptions of their formats, and what becomes of them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings

from memories.models import Agent, Import
from memories.transfer.exporting import write_export
from memories.transfer.importing import advance_import
from memories.transfer.plans import JSONLINES, everything, everything_of, make_plan
from memories.transfer.starting import agree, begin_import
from xiajiao.models import User


def export(user: User, format: str = JSONLINES) -> bytes:
    """Everything that is the person's; of staff, everybody's."""
    rows, agents = everything() if user.is_staff else everything_of(user)
    file = BytesIO()
    write_export(make_plan(format, rows, agents), file)
    return file.getvalue()


def check(user: User, content: bytes | Path, agent: Agent | None = None, **columns: Any) -> Import:
    """The dry run."""
    path = content if isinstance(content, Path) else keep(content)
    job = begin_import(user, path, agent=agent, given_name="file", **columns)
    return finish(job)


def finish(job: Import) -> Import:
    while advance_import(job):
        pass
    job.refresh_from_db()
    return job


def bring_in(user: User, content: bytes | Path, agent: Agent | None = None, **columns: Any) -> Import:
    """Looked through, agreed to and imported."""
    job = check(user, content, agent, **columns)
    assert job.state == "checked", job.error
    agree(job)
    return finish(job)


def keep(content: bytes) -> Path:
    path = settings.DATA_DIR / "handed-in"
    path.write_bytes(content)
    return path


def lines_of(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def join(*lines: Any) -> bytes:
    """JSON Lines; texts as they are."""
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    return "".join(f"{line}\n" for line in written).encode("utf-8", "surrogatepass")


def make_database(path: Path, schema: str, table: str, rows: list[dict[str, Any]]) -> Path:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(schema)
        for row in rows:
            marks = ", ".join("?" for _ in row)
            database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    return path


WORKSPACE = "CREATE TABLE memories (id INTEGER PRIMARY KEY, type TEXT, content, created_at)"
AGENT_MEMORIES = """CREATE TABLE agent_memories (id TEXT PRIMARY KEY, agent_id TEXT, type TEXT, content, summary TEXT,
    tags TEXT, importance TEXT, source TEXT, embedding TEXT, access_count INTEGER, created_at)"""
NAMED = """CREATE TABLE memory (id INTEGER PRIMARY KEY AUTOINCREMENT, agent_name TEXT NOT NULL, user_id TEXT NOT NULL,
    type TEXT NOT NULL, name TEXT NOT NULL, content, description TEXT NOT NULL DEFAULT '', metadata TEXT,
    created_at TEXT DEFAULT (datetime('now')), updated_at TEXT DEFAULT (datetime('now')))"""
SESSIONS = """CREATE TABLE memories (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT 'agent', doc_id TEXT, content, embedding TEXT NOT NULL,
    tags TEXT DEFAULT '[]', created_at)"""
