"""Processes are killed in the middle of streamed turns with tool calls, again and again, at random moments.

Nothing a person said is lost or kept twice, no answer claims for ever to be written, no memory has a twin,
and nothing is left running. CRASH_ROUNDS sets how often each process is killed, CRASH_SEED repeats a run.
"""

import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from tests.crash.rows import Answer, Rows
from tests.crash.script import SECONDS, WHOLE, fact, message, play
from tests.crash.visitor import Visitor
from tests.installation import Installation, eventually
from tests.openai_stub import OpenAIStub

pytestmark = pytest.mark.xdist_group("crash")
ROUNDS = int(os.environ.get("CRASH_ROUNDS", "20"))
SEED = os.environ.get("CRASH_SEED") or str(time.time_ns())


class House:
    """An installation with one person in it, and a scripted model beside it."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.rows = Rows(installation)
        self.visitor = Visitor(installation.port)
        self.numbers = count(1)
        self.random = random.Random(SEED)

    def move_in(self) -> None:
        self.installation.start()
        [link] = [word for word in self.installation.output.split() if "/setup/" in word]
        self.visitor.set_up(link)
        self.visitor.begin(message(0))
        self.follow(message(0))
        assert [answer.status for answer in self.answers(message(0))] == ["done"]

    def follow(self, text: str) -> None:
        """To the end of the newest answer to this message."""
        self.visitor.follow(self.answers(text)[-1].id)

    def answers(self, text: str) -> list[Answer]:
        [sent] = self.rows.messages(text)
        return self.rows.answers(sent)

    def converse(self, text: str) -> None:
        self.visitor.say(text)
        self.follow(text)

    def is_in_a_turn(self) -> bool:
        return bool(self.rows.unfinished())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with OpenAIStub() as stub:
        stub.always(play)
        environment = {"OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": "none", "OPENAI_MODEL": "stub-model"}
        installation = Installation(tmp_path_factory.mktemp("house"), environment)
        try:
            house = House(installation)
            house.move_in()
            yield house
        finally:
            installation.end()


@pytest.mark.parametrize("victim", ["web", "worker", "broker", "up"])
def test_nothing_is_lost_and_nothing_doubled(house: House, victim: str) -> None:
    hits = sum(play_round(house, victim, next(house.numbers)) for _ in range(ROUNDS))

    assert hits >= ROUNDS // 2, f"too few of the {ROUNDS} kills fell into a turn: {hits} (seed {SEED})"
    assert house.rows.messages_kept_twice() == []
    assert house.rows.memories_kept_twice() == []
    assert house.rows.is_sound()
    eventually(lambda: house.installation.readiness()["ok"], "every part is ready")


def play_round(house: House, victim: str, number: int) -> bool:
    """One message, one kill at some moment of its turn, and what has to be true afterwards; whether it hit the turn."""
    where = f"round {number}, {victim}, seed {SEED}"
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(house.converse, message(number))
        time.sleep(house.random.uniform(0, SECONDS))
        has_hit = house.is_in_a_turn()
        kill(house.installation, victim)
        said.result()

    first = house.answers(message(number))
    assert len(first) == 1, f"the message has {len(first)} answers ({where})"
    check_first(first[0], victim, where)
    if first[0].status != "done":
        house.visitor.retry(first[0].id)
        house.follow(message(number))
    last = house.answers(message(number))[-1]
    assert (last.status, last.content) == ("done", WHOLE), f"{last} ({where})"
    assert house.rows.memories(fact(number)) == 1, where
    assert house.rows.unfinished() == [], where
    return has_hit


def kill(installation: Installation, victim: str) -> None:
    before = {process.pid for process in installation.processes("" if victim == "up" else victim)}
    installation.kill(victim)
    if victim == "up":
        eventually(lambda: installation.processes() == [], "nothing of it runs")
        installation.start()
    eventually(
        lambda: not before & {process.pid for process in installation.processes()}, f"nothing is left of the {victim}"
    )


def check_first(answer: Answer, victim: str, where: str) -> None:
    """What was written is there, in order and once; only who writes it can interrupt it."""
    assert WHOLE.startswith(answer.content.rstrip()), f"{answer} ({where})"
    allowed = {"done", "interrupted"} if victim in {"web", "up"} else {"done"}
    assert answer.status in allowed, f"{answer} ({where})"
