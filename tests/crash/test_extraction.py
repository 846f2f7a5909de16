"""Workers are killed at every step of an extraction, alone and with all that they started.

Each fact is remembered once, the job ends, the cursor stands behind what was read, and the day has one line of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from tests.crash.house import ROUNDS, SEED, House, kill_claimant
from tests.crash.script import FACTS_OF_A_NOTE, jars, note, summary
from tests.installation import PATIENCE

pytestmark = [pytest.mark.installation, pytest.mark.xdist_group("crash")]
# Seconds in which a point is waited for; a round whose job is done before kills all the same.
SOON = 20.0
JOB = """
SELECT j.id, j.state, j.claim, j.candidates IS NOT NULL, j.written, j.upto_id, c.extracted_to, c.leaf_id
FROM chat_extractionjob j JOIN chat_conversation c ON c.id = j.conversation_id WHERE c.id = ?
"""
HEARD = """
SELECT m.proof_count, (SELECT count(*) FROM memories_memoryrevision r WHERE r.memory_id = m.id)
FROM memories_memory m WHERE m.content = ?
"""


@dataclass(frozen=True)
class Row:
    """A job at one moment, and where the cursor of its conversation stands."""

    id: int
    state: str
    claim: str
    is_proposed: bool
    written: int
    upto: int
    cursor: int
    leaf: int

    @property
    def is_at_work(self) -> bool:
        return bool(self.claim) and self.state == "waiting"


Point = Callable[[Row], bool]
POINTS: dict[str, Point] = {
    "claimed": lambda row: row.is_at_work,
    "the model speaks": lambda row: row.is_at_work and not row.is_proposed,
    "proposed": lambda row: row.is_at_work and row.is_proposed,
    "between two memories": lambda row: row.is_at_work and 0 < row.written < FACTS_OF_A_NOTE,
    "all written": lambda row: row.is_at_work and row.written == FACTS_OF_A_NOTE,
    "done": lambda row: row.state == "done",
}
# So long after the point was reached, at the most: what happens within a transaction nobody sees from outside.
LATER = {"claimed": 0.2, "the model speaks": 1.2, "proposed": 0.5, "between two memories": 0.1}


def test_each_fact_is_remembered_once(house: House) -> None:
    before = house.visitor.conversation
    hits = sum(play_round(house, number) for number in range(ROUNDS))
    house.visitor.conversation = before

    assert hits >= ROUNDS // 2, f"too few of the {ROUNDS} kills met a worker at work: {hits} (seed {SEED})"
    assert house.rows.memories_kept_twice() == []
    assert house.rows.messages_kept_twice() == []
    assert house.rows.is_sound()


def play_round(house: House, number: int) -> bool:
    """A conversation that is closed, one kill, and what has to be true afterwards; whether it met a worker at work."""
    name = list(POINTS)[number % len(POINTS)]
    where = f"round {number}, {name}, seed {SEED}"
    house.visitor.begin(note(number))
    house.follow(note(number))
    conversation = int(house.visitor.conversation.rstrip("/").rpartition("/")[2])
    with ThreadPoolExecutor(1) as pool:
        closed = pool.submit(house.visitor.request, "POST", f"{house.visitor.conversation}close/", {})
        found = wait_for(house, conversation, POINTS[name])
        time.sleep(house.random.uniform(0, LATER.get(name, 0)))
        has_met = kill_claimant(house, found.claim if found else "", is_alone=number % 2 == 0)
        assert closed.result()[0] in {200, 302}, where
    check(house, number, follow(house, conversation, where), where)
    return has_met or name == "done"


def look(house: House, conversation: int) -> Row | None:
    rows = house.rows.ask(JOB, conversation)
    assert len(rows) < 2, rows
    return Row(*rows[0]) if rows else None


def wait_for(house: House, conversation: int, point: Point) -> Row | None:
    deadline = time.monotonic() + SOON
    row = None
    while time.monotonic() < deadline:
        row = look(house, conversation)
        if row is not None and (point(row) or row.state != "waiting"):
            return row
    return row


def follow(house: House, conversation: int, where: str) -> Row:
    """Until it is done; never failed, and never further than it was read."""
    deadline = time.monotonic() + PATIENCE * 2
    while True:
        row = look(house, conversation)
        assert row is not None, where
        assert row.state in {"waiting", "done"}, f"{row} ({where})"
        assert row.cursor == (row.upto if row.state == "done" else 0), f"{row} ({where})"
        if row.state == "done":
            return row
        assert time.monotonic() < deadline, f"nobody takes it up: {row} ({where})"
        time.sleep(0.05)


def check(house: House, number: int, row: Row, where: str) -> None:
    assert (row.written, row.claim, row.cursor) == (FACTS_OF_A_NOTE, "", row.leaf), f"{row} ({where})"
    for _quote, content, _jar in jars(number):
        # Heard once, with one revision: nothing was written, told or counted again.
        assert house.rows.ask(HEARD, content) == [(1, 1)], f"{content} ({where})"
    days = house.rows.ask("SELECT text FROM memories_profilefile WHERE kind = 'daily'")
    assert sum(text.count(f"{summary(number)}\n") for (text,) in days) == 1, f"{days} ({where})"
    assert [answer.status for answer in house.answers(note(number))] == ["done"], where
