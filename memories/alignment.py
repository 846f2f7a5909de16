"""The shortest way from one sequence to another (E. W. Myers, An O(ND) difference algorithm, Algorithmica 1, 1986).

difflib finds no shortest way and takes seconds where a word is repeated some hundred times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Steps after which the search is given up: its time and memory grow with their square.
MOST_STEPS = 400


class Stretch(NamedTuple):
    """`first[start:end]` became `second[new_start:new_end]`; `is_same`: nothing changed there."""

    is_same: bool
    start: int
    end: int
    new_start: int
    new_end: int


def align(first: Sequence[str], second: Sequence[str], most_steps: int = MOST_STEPS) -> list[Stretch] | None:
    """Stretches that make up both sequences, in order; None where more than `most_steps` items came or went."""
    head = count_common(first, second)
    tail = count_common(first[head:][::-1], second[head:][::-1])
    old, new = first[head : len(first) - tail], second[head : len(second) - tail]
    matches = match(old, new, most_steps)
    if matches is None:
        return None
    pairs = [(at, at) for at in range(head)]
    pairs += [(head + at, head + new_at) for at, new_at in matches]
    pairs += [(len(first) - left, len(second) - left) for left in range(tail, 0, -1)]
    return as_stretches(pairs, len(first), len(second))


def count_common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many items at the beginning are the same."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))


def match(first: Sequence[str], second: Sequence[str], most_steps: int) -> list[tuple[int, int]] | None:
    """The places that a shortest way leaves as they are."""
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    for step in range(min(len(first) + len(second), most_steps) + 1):
        trail.append(dict(furthest))
        for diagonal in range(-step, step + 1, 2):
            at = reach(furthest, diagonal, step)
            while at < len(first) and at - diagonal < len(second) and first[at] == second[at - diagonal]:
                at += 1
            furthest[diagonal] = at
            if at >= len(first) and at - diagonal >= len(second):
                return walk_back(trail, len(first), len(second))
    return None


def reach(furthest: dict[int, int], diagonal: int, step: int) -> int:
    """Where the next edit leads: down from the diagonal above, or right from the one below."""
    if diagonal == -step or (diagonal != step and furthest[diagonal - 1] < furthest[diagonal + 1]):
        return furthest[diagonal + 1]
    return furthest[diagonal - 1] + 1


def walk_back(trail: Sequence[dict[int, int]], end: int, new_end: int) -> list[tuple[int, int]]:
    pairs = []
    at, new_at = end, new_end
    for step in range(len(trail) - 1, -1, -1):
        furthest, diagonal = trail[step], at - new_at
        came_down = diagonal == -step or (diagonal != step and furthest[diagonal - 1] < furthest[diagonal + 1])
        before = furthest.get(diagonal + 1 if came_down else diagonal - 1, 0)
        new_before = before - (diagonal + 1 if came_down else diagonal - 1)
        while at > max(before, 0) and new_at > max(new_before, 0):
            at, new_at = at - 1, new_at - 1
            pairs.append((at, new_at))
        at, new_at = before, new_before
    return pairs[::-1]


def as_stretches(pairs: Sequence[tuple[int, int]], end: int, new_end: int) -> list[Stretch]:
    stretches: list[Stretch] = []
    at = new_at = 0
    for place, new_place in [*pairs, (end, new_end)]:
        if (place, new_place) != (at, new_at):
            stretches.append(Stretch(False, at, place, new_at, new_place))
        if place < end and new_place < new_end:
            grow(stretches, place, new_place)
        at, new_at = place + 1, new_place + 1
    return stretches


def grow(stretches: list[Stretch], place: int, new_place: int) -> None:
    """One more item that stayed."""
    if stretches and stretches[-1].is_same:
        stretches[-1] = stretches[-1]._replace(end=place + 1, new_end=new_place + 1)
    else:
        stretches.append(Stretch(True, place, place + 1, new_place, new_place + 1))
