"""What an installation has kept, read from its database while it runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg

from tests.installation import Installation

UNFINISHED = ("pending", "running")


@dataclass(frozen=True)
class Answer:
    id: int
    status: str
    content: str
    error_code: str

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED


class Rows:
    """Questions with `?` for their values, to the database file or to the server."""

    def __init__(self, installation: Installation) -> None:
        self.path = installation.folder / "xiajiao.db"
        self.server = installation.environment.get("DATABASE_URL", "")

    def ask(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        if self.server:
            with psycopg.connect(self.server) as server:
                return server.execute(question.replace("?", "%s").encode(), values).fetchall()
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=20)) as database:
            return database.execute(question, values).fetchall()

    def messages(self, text: str) -> list[int]:
        """The ids of a person's messages with this text."""
        return [row[0] for row in self.ask("SELECT id FROM chat_message WHERE role = 'user' AND content = ?", text)]

    def answers(self, message: int) -> list[Answer]:
        """To that message, the newest last."""
        columns = "id, status, content, error_code"
        found = self.ask(f"SELECT {columns} FROM chat_message WHERE parent_id = ? ORDER BY id", message)
        return [Answer(*row) for row in found]

    def unfinished(self) -> list[tuple[Any, ...]]:
        """Answers and tool calls that claim to be at work."""
        answers = self.ask("SELECT id, status FROM chat_message WHERE status IN (?, ?)", *UNFINISHED)
        return answers + self.ask("SELECT id, status FROM chat_toolcall WHERE status = 'running'")

    def memories(self, content: str) -> int:
        return int(self.ask("SELECT count(*) FROM memories_memory WHERE content = ?", content)[0][0])

    def memories_kept_twice(self) -> list[tuple[Any, ...]]:
        return self.ask("SELECT content, count(*) FROM memories_memory GROUP BY content HAVING count(*) > 1")

    def messages_kept_twice(self) -> list[tuple[Any, ...]]:
        grouped = "SELECT content, count(*) FROM chat_message WHERE role = 'user' GROUP BY content HAVING count(*) > 1"
        return self.ask(grouped)

    def is_sound(self) -> bool:
        return bool(self.server) or self.ask("PRAGMA integrity_check") == [("ok",)]
