"""SQLite files of other systems, good, broken and hostile."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from memories.models import Agent, Memory
from memories.transfer.entries import FileError
from memories.transfer.formats import read_entries, recognise
from tests.factories import make_agent, make_user
from tests.memories.transfer.files import (
    AGENT_MEMORIES,
    NAMED,
    SESSIONS,
    WORKSPACE,
    bring_in,
    check,
    make_database,
)
from xiajiao.models import User

pytestmark = pytest.mark.django_db

FACTS = [
    "用户对花生过敏",
    "The user's sister lives in Berlin",
    "公司用 AWS",
    "The user has a parrot called Kiwi",
    "项目使用 PostgreSQL",
    "The user plays the cello on Sundays",
    "用户每天早上六点起床",
    "The office is on the ninth floor",
    "用户的车是蓝色的",
]
MOMENT = datetime(2026, 4, 26, 8, 0, tzinfo=UTC)
MILLISECONDS = int(MOMENT.timestamp() * 1000)


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def ten(row: dict[str, Any], broken: dict[str, Any], first_id: Any = 1) -> list[dict[str, Any]]:
    """Nine rows with a fact each, and one that is broken in the middle."""
    ids = [first_id + number if isinstance(first_id, int) else f"{first_id}{number}" for number in range(10)]
    rows = [row | {"content": fact} for fact in FACTS]
    rows.insert(5, row | {"content": "A fact in a broken row"} | broken)
    return [{"id": id, **each} for id, each in zip(ids, rows, strict=True)]


def test_a_workspace_of_one_agent_comes_in(user: User, agent: Agent, tmp_path: Path) -> None:
    rows = ten({"type": "semantic", "created_at": "2026-04-26 08:00:00"}, {"content": None})
    rows[0]["type"], rows[1]["type"], rows[2]["type"], rows[3]["type"] = "程序性记忆", "episodic", "情景记忆", "趣事"
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows)

    report = bring_in(user, path, agent)
    assert (report.format, report.outcome) == ("workspace_db", {"add": 9, "invalid": 1})
    assert (report.lines.get(outcome="invalid").line, report.lines.get(outcome="invalid").reason) == (6, "empty")
    kinds = {memory.content: (memory.category, memory.tags) for memory in Memory.objects.all()}
    assert kinds[FACTS[0]] == ("procedural", [])
    assert kinds[FACTS[1]] == kinds[FACTS[2]] == ("episodic", [])
    assert kinds[FACTS[3]] == ("semantic", ["趣事"])
    assert set(Memory.objects.values_list("created_at", flat=True)) == {MOMENT}
    assert bring_in(user, path, agent).outcome == {"ignore": 9, "invalid": 1}


def test_the_agents_of_the_javascript_xiajiao_come_in(user: User, tmp_path: Path) -> None:
    mine = make_agent(owner=user, name="coder")
    row = {
        **{"agent_id": "coder", "type": "semantic", "summary": "In short", "tags": '["tea", "早上"]', "source": "chat"},
        **{"importance": "high", "embedding": "[0.1, 0.2]", "access_count": 7, "created_at": MILLISECONDS},
    }
    rows = ten(row, {"tags": "[broken"}, first_id="m")
    rows[0]["agent_id"], rows[1]["importance"], rows[2]["type"] = "novelist", "low", "procedural"
    path = make_database(tmp_path / "im.db", AGENT_MEMORIES, "agent_memories", rows)

    report = bring_in(user, path)
    assert (report.format, report.outcome) == ("agent_memories_db", {"add": 9, "invalid": 1})
    assert report.makes["agents"] == ["novelist"]
    assert (report.lines.get(outcome="invalid").reason, mine.memories.count()) == ("not_json", 8)
    memory = mine.memories.get(content=FACTS[1])
    assert (memory.importance, memory.tags, memory.description) == (1, ["tea", "早上"], "In short")
    assert (memory.created_at, memory.metadata) == (MOMENT, {"imported": {"source": "chat", "access_count": 7}})
    assert mine.memories.get(content=FACTS[2]).category == "procedural"
    assert mine.memories.filter(importance=3).count() == 7


def test_memories_with_names_and_types_come_in(user: User, tmp_path: Path) -> None:
    row = {
        **{"agent_name": "助手", "user_id": "u1", "type": "project", "name": "Stack", "description": "What it runs on"},
        **{"metadata": '{"level": 2}', "created_at": "2026-04-26 08:00:00", "updated_at": "2026-04-27 08:00:00"},
    }
    rows = ten(row, {"metadata": "[1]"})
    rows[0]["type"], rows[1]["type"], rows[2]["type"], rows[3]["type"] = (
        "用户画像",
        "行为反馈",
        "引用资源",
        "environment",
    )
    path = make_database(tmp_path / "netaclaw.db", NAMED, "memory", rows)

    report = bring_in(user, path)
    assert (report.format, report.outcome) == ("named_db", {"add": 9, "invalid": 1})
    memories = {memory.content: memory for memory in Memory.objects.select_related("type", "agent")}
    assert {memory.agent.name for memory in memories.values()} == {"助手"}
    kinds = [(memories[fact].type.key, memories[fact].category) for fact in FACTS[:5]]
    assert kinds == [
        ("user", "semantic"),
        ("feedback", "procedural"),
        ("reference", "semantic"),
        ("user", "semantic"),
        ("project", "semantic"),
    ]
    memory = memories[FACTS[3]]
    assert (memory.title, memory.tags, memory.metadata) == ("Stack", ["environment"], {"level": 2})


def test_session_memories_come_in_and_passages_of_documents_do_not(user: User, agent: Agent, tmp_path: Path) -> None:
    row = {"session_id": "global", "source": "agent", "embedding": json.dumps([0.5] * 8), "tags": '["auto-extracted"]'}
    rows = ten(row | {"created_at": MILLISECONDS}, {"source": "kb", "doc_id": "handbook", "content": "Page 3"}, "m")
    path = make_database(tmp_path / "xclaw.db", SESSIONS, "memories", rows)

    report = bring_in(user, path, agent)
    assert (report.format, report.outcome) == ("sessions_db", {"add": 9, "invalid": 1})
    assert report.lines.get(outcome="invalid").reason == "document"
    assert not Memory.objects.exclude(tags=["auto-extracted"]).exists()


def test_a_format_that_was_chosen_and_is_not_there_is_told(user: User, agent: Agent, tmp_path: Path) -> None:
    path = make_database(tmp_path / "a.db", WORKSPACE, "memories", [])
    assert check(user, path, agent, format="sessions_db").error == "wrong_columns"
    assert check(user, path, agent).forecast == {}


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ("CREATE TABLE notes (content TEXT)", "no_table"),
        ("CREATE TABLE memories (body TEXT)", "wrong_columns"),
        ("CREATE VIEW memories AS SELECT 'semantic' AS type, 'poison' AS content, 1 AS created_at", "no_table"),
        ("CREATE VIRTUAL TABLE memories USING fts5 (type, content, created_at)", "no_table"),
        ("CREATE TABLE memories (type TEXT, content TEXT AS (hex(zeroblob(1000000))))", "wrong_columns"),
    ],
)
def test_tables_that_are_none_are_refused(user: User, agent: Agent, tmp_path: Path, schema: str, error: str) -> None:
    path = tmp_path / "odd.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(schema)
    job = check(user, path, agent)
    assert (job.state, job.error) == ("failed", error)


def test_triggers_and_indexes_of_the_file_do_nothing(user: User, agent: Agent, tmp_path: Path) -> None:
    rows = ten({"type": "semantic"}, {"content": None})
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TRIGGER t AFTER INSERT ON memories BEGIN DELETE FROM memories; END")
        database.execute("CREATE INDEX i ON memories (abs(length(content)))")
    assert bring_in(user, path, agent).outcome == {"add": 9, "invalid": 1}


def test_rows_of_the_wrong_kind_are_told_and_the_others_come_in(user: User, agent: Agent, tmp_path: Path) -> None:
    rows = ten({"type": "semantic"}, {"content": b"\xff\xfe\x00\xff"})
    rows += [{"id": 20, "content": 12.5}, {"id": 21, "content": "x" * 20_000}, {"id": 22, "content": "half \0 nul"}]
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows)
    report = bring_in(user, path, agent)
    assert report.outcome == {"add": 10, "invalid": 3}
    reasons = report.lines.filter(outcome="invalid").order_by("place").values_list("reason", flat=True)
    assert list(reasons) == ["binary", "wrong_type", "too_long"]


def test_a_value_too_large_for_memory_is_stepped_over(user: User, agent: Agent, tmp_path: Path) -> None:
    rows = ten({"type": "semantic"}, {"content": "x" * 40_000_000})
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows)
    report = bring_in(user, path, agent)
    assert report.outcome == {"add": 9, "invalid": 1}
    assert report.lines.get(outcome="invalid").reason == "damaged"


def test_a_damaged_file_gives_what_it_still_has(user: User, agent: Agent, tmp_path: Path) -> None:
    filling = {"type": "semantic", "padding": "x" * 1500}
    rows = [{"id": number, "content": f"Fact {number}", **filling} for number in range(1, 50)]
    schema = "CREATE TABLE memories (id INTEGER PRIMARY KEY, type TEXT, content, created_at, padding)"
    path = make_database(tmp_path / "memory.db", schema, "memories", rows)
    with path.open("r+b") as file:
        file.seek(8 * 4096)
        file.write(os.urandom(4096))
    job = check(user, path, agent)
    assert job.state == "checked"
    assert job.lines.exclude(forecast="invalid").count() > 40
    assert 1 <= job.forecast["invalid"] < 9


def test_reading_of_a_damaged_file_comes_to_an_end(tmp_path: Path) -> None:
    rows = [{"id": number, "type": "semantic", "content": f"Fact {number} {'x' * 300}"} for number in range(1, 200)]
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows)
    whole, rng = path.read_bytes(), random.Random(1)
    for _file in range(60):
        damaged = bytearray(whole)
        for _byte in range(rng.choice([1, 5, 50, 500])):
            damaged[rng.randrange(100, len(whole))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            entries = list(islice(read_entries(path, recognise(path)), 2000))
        except FileError:
            continue
        assert len(entries) < 2000


@pytest.mark.parametrize("length", [16, 100, 4096])
def test_a_file_that_is_cut_off_is_refused(user: User, agent: Agent, tmp_path: Path, length: int) -> None:
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", ten({"type": "semantic"}, {}))
    path.write_bytes(path.read_bytes()[:length])
    job = check(user, path, agent)
    assert (job.state, job.error) in {("failed", "damaged"), ("failed", "no_table"), ("checked", "")}
    assert not job.forecast.get("add")


def test_a_file_that_only_begins_like_a_database_is_refused(user: User, agent: Agent, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(b"SQLite format 3\0" + os.urandom(8192))
    assert check(user, path, agent).error == "damaged"


def test_what_was_never_moved_out_of_the_file_beside_it_is_told(user: User, agent: Agent, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(WORKSPACE)
    database.execute("INSERT INTO memories (type, content) VALUES ('semantic', 'The user likes tea')")
    database.commit()
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    database.close()

    assert check(user, copy, agent).error == "only_in_wal"
    assert check(user, path, agent).forecast == {"add": 1}


def test_nothing_is_written_to_the_file_or_beside_it(user: User, agent: Agent, tmp_path: Path) -> None:
    path = make_database(tmp_path / "memory.db", WORKSPACE, "memories", ten({"type": "semantic"}, {"content": None}))
    before = path.read_bytes()
    job = check(user, path, agent)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db"]
    assert job.given_name == "file"


def test_tables_without_row_numbers_are_read_too(user: User, agent: Agent, tmp_path: Path) -> None:
    schema = WORKSPACE.replace("created_at)", "created_at) WITHOUT ROWID")
    path = make_database(tmp_path / "memory.db", schema, "memories", ten({"type": "semantic"}, {"content": None}))
    assert bring_in(user, path, agent).outcome == {"add": 9, "invalid": 1}


def test_another_persons_agent_of_the_same_name_is_not_written_to(user: User, tmp_path: Path) -> None:
    theirs = make_agent(owner=make_user(), name="助手")
    rows = [{"agent_name": "助手", "user_id": "x", "type": "user", "name": "n", "content": "用户对花生过敏"}]
    bring_in(user, make_database(tmp_path / "m.db", NAMED, "memory", rows))
    assert not theirs.memories.exists()
    assert Memory.objects.get().agent.owner == user
