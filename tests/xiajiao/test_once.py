"""One of it in a process, whoever asks first."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from xiajiao.once import Once, once

MANY = 8


@pytest.fixture
def made() -> list[str]:
    return []


@pytest.fixture
def slow(made: list[str]) -> Once[object]:
    """It takes so long to make that all who ask come meanwhile."""

    def make(name: str = "") -> object:
        made.append(name)
        threading.Event().wait(0.2)
        return object()

    return once(make)


def test_threads_that_come_at_once_are_given_the_same(slow: Once[object], made: list[str]) -> None:
    gate = threading.Barrier(MANY)

    def ask(_number: int) -> object:
        gate.wait()
        return slow()

    with ThreadPoolExecutor(MANY) as pool:
        given = set(pool.map(ask, range(MANY)))

    assert (len(given), made) == (1, [""])


def test_others_are_made_for_other_arguments_and_when_it_is_cleared(slow: Once[object], made: list[str]) -> None:
    assert slow("a") is slow("a")
    assert slow("b") is not slow("a")
    slow.cache_clear()
    slow("a")
    assert made == ["a", "b", "a"]


def test_a_child_makes_its_own_though_the_parent_was_making_it(slow: Once[object]) -> None:
    slow.lock.acquire()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        slow()
        os._exit(0)
    slow.lock.release()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
