from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

# SQLite takes 999 parameters a statement in old builds.
BATCH = 500


def batched(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Lists of at most `size` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def take_accepted(items: Iterable[T], most: int, accept: Callable[[list[T]], Collection[T]]) -> list[T]:
    """The first `most` of those that `accept` returns of a batch, in their order; it is asked for no more than that."""
    taken: list[T] = []
    for batch in batched(items):
        accepted = set(accept(batch))
        taken += [item for item in batch if item in accepted]
        if len(taken) >= most:
            break
    return taken[:most]
