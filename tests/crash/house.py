"""An installation with one person in it, and how its processes are killed."""

from __future__ import annotations

import os
import random
import signal
import time
from itertools import count

from tests.crash.rows import Answer, Rows
from tests.crash.script import message
from tests.crash.visitor import Visitor
from tests.installation import Installation, eventually

ROUNDS = int(os.environ.get("CRASH_ROUNDS", "20"))
SEED = os.environ.get("CRASH_SEED") or str(time.time_ns())


class House:
    """Beside it, a scripted model answers."""

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


def kill(installation: Installation, victim: str) -> None:
    before = {process.pid for process in installation.processes("" if victim == "up" else victim)}
    installation.kill(victim)
    if victim == "up":
        eventually(lambda: installation.processes() == [], "nothing of it runs")
        installation.start()
    eventually(
        lambda: not before & {process.pid for process in installation.processes()}, f"nothing is left of the {victim}"
    )


def kill_claimant(house: House, claim: str, is_alone: bool) -> bool:
    """The process that works, or the worker with all its processes; whether it met whom it was meant for."""
    if not is_alone:
        house.installation.kill("worker")
        return bool(claim)
    pids = {process.pid for process in house.installation.processes("worker")}
    pid = int(claim.split(":")[1]) if claim else 0
    if pid not in pids:
        return False
    os.kill(pid, signal.SIGKILL)
    return True
