"""Workers are killed at every stage of indexing, alone and with all that they started.

Each document ends ready with exactly its chunks, once, each with its vector; and what the page shows is true meanwhile.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.crash.house import ROUNDS, SEED, House, kill_claimant
from tests.crash.library import Library, Row
from tests.installation import PATIENCE
from tests.knowledge import zoo

pytestmark = [pytest.mark.installation, pytest.mark.xdist_group("crash")]
# Seconds in which a point is waited for; a round whose documents are through before kills all the same.
SOON = 20.0

Point = Callable[[Row], str]
# The claim of whoever is at it; empty while nobody is.
POINTS: dict[str, Point] = {
    "claimed": lambda row: row.claim,
    "being read by a child": lambda row: row.claim if row.stage in {"starting", "reading"} else "",
    "being cut": lambda row: row.claim if row.stage == "chunking" else "",
    "chunks being written": lambda row: row.claim if row.stage == "saving" else "",
    "between vectors": lambda row: row.embedding_claim if 0 < row.embedded < row.to_embed else "",
    "vectors being written": lambda row: row.embedding_claim,
    "ending": lambda row: row.embedding_claim if row.to_embed and row.embedded == row.to_embed else "",
}
# So long after the point was reached, at the most: what happens within a transaction nobody sees from outside.
LATER = {"being read by a child": 0.5, "chunks being written": 0.3, "vectors being written": 0.3}


@pytest.fixture(scope="module")
def library(house: House) -> Library:
    return Library(house)


def test_each_document_ends_ready_with_its_chunks_once(library: Library) -> None:
    hits = sum(play_round(library, number) for number in range(ROUNDS))

    assert hits >= ROUNDS // 2, f"too few of the {ROUNDS} kills met a worker at work: {hits} (seed {SEED})"
    assert library.house.rows.is_sound()


def play_round(library: Library, number: int) -> bool:
    """Some documents, one kill, and what has to be true until all are ready; whether it met whom it was meant for."""
    name = list(POINTS)[number % len(POINTS)]
    where = f"round {number}, {name}, seed {SEED}"
    files = make_files(number)
    with ThreadPoolExecutor(1) as pool:
        added = pool.submit(library.add, files)
        claim = wait_for(library, POINTS[name], where)
        time.sleep(library.house.random.uniform(0, LATER.get(name, 0)))
        has_met = kill_claimant(library.house, claim, is_alone=number % 2 == 0)
        added.result()
    follow(library, len(files), where)
    library.check(files, where)
    return has_met


def make_files(number: int) -> dict[str, bytes]:
    """A long text, a short one, and pages that take a while to read."""
    lines = [f"Line {line} of round {number}: the harbour sells tea, rice and lamps." for line in range(1000)]
    long = "\n\n".join(f"## Chapter {at // 50}\n\n{line}" if at % 50 == 0 else line for at, line in enumerate(lines))
    fives = ["\n".join(lines[start : start + 5]) for start in range(0, 200, 5)]
    return {
        f"long {number}.md": long.encode(),
        f"short {number}.txt": lines[0].encode(),
        f"pages {number}.pdf": zoo.pdf(fives),
    }


def wait_for(library: Library, point: Point, where: str) -> str:
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        rows = library.look(where)
        claim = next((claim for row in rows if (claim := point(row))), "")
        if claim or (len(rows) == 3 and all(row.is_settled for row in rows)):
            return claim
    return ""


def follow(library: Library, count: int, where: str) -> Sequence[Row]:
    """Until all are ready."""
    deadline = time.monotonic() + PATIENCE * 2
    while True:
        rows = library.look(where)
        if len(rows) == count and all(row.is_settled for row in rows):
            return rows
        assert time.monotonic() < deadline, f"they never became ready: {rows} ({where})"
        time.sleep(0.02)
