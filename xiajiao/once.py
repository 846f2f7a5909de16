"""What a process has one of, however many threads ask for it first."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Of what holds connections or threads: one for the same arguments, and a new one after a fork.

    With `functools.cache`, threads that come at once make one each, and all but the last are dropped: what is in use
    of them is closed under its user.
    """

    def __init__(self, make: Callable[..., T]) -> None:
        self.make = make
        update_wrapper(self, make)
        self.begin()
        os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        """With a lock that nobody holds: a thread of the parent may have held the former one."""
        self.lock = Lock()
        self.made: dict[tuple[Hashable, ...], T] = {}

    def __call__(self, *arguments: Hashable) -> T:
        with self.lock:
            if arguments not in self.made:
                self.made[arguments] = self.make(*arguments)
            return self.made[arguments]

    def cache_clear(self) -> None:
        with self.lock:
            self.made.clear()


def once(make: Callable[..., T]) -> Once[T]:
    """As a decorator."""
    return Once(make)
