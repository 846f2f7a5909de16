"""The lines of an import, filtered and page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from memories.models import Import, ImportLine
from xiajiao.requests import read_number

PAGE = 50


@dataclass(frozen=True)
class LinePage:
    """`before` and `after` are places: the pages on either side end and begin there; None where there is none."""

    lines: Sequence[ImportLine]
    before: int | None
    after: int | None
    column: str


@dataclass(frozen=True)
class Tally:
    """How many lines have this outcome; "" counts all."""

    outcome: str
    count: int
    is_chosen: bool


def read_page(job: Import, column: str, values: QueryDict) -> LinePage:
    """`column`: forecast or outcome. A page begins behind `after`, or ends before `before`."""
    rows = job.lines.select_related("memory", "memory__agent")
    chosen = values.get("outcome", "")
    if chosen in ImportLine.Outcome.values:
        rows = rows.filter(**{column: chosen})
    elif chosen == "open" and column == "outcome":
        rows = rows.filter(outcome="")
    before, after = read_number(values, "before"), read_number(values, "after")
    if before is not None:
        found = list(rows.filter(place__lt=min(before, 2**31 - 1)).order_by("-place")[: PAGE + 1])
        shown = found[:PAGE][::-1]
        return LinePage(shown, first(shown) if len(found) > PAGE else None, last(shown), column)
    found = list(rows.filter(place__gt=min(after or 0, 2**31 - 1)).order_by("place")[: PAGE + 1])
    shown = found[:PAGE]
    return LinePage(shown, first(shown) if after else None, last(shown) if len(found) > PAGE else None, column)


def first(lines: Sequence[ImportLine]) -> int | None:
    return lines[0].place if lines else None


def last(lines: Sequence[ImportLine]) -> int | None:
    return lines[-1].place if lines else None


def list_tallies(job: Import, column: str, values: QueryDict) -> list[Tally]:
    """All first, then each outcome that there is."""
    counts = job.outcome if column == "outcome" else job.forecast
    chosen = values.get("outcome", "")
    every = sum(job.forecast.values())
    tallies = [Tally("", every, chosen not in {*counts, "open"})]
    tallies += [Tally(name, counts[name], name == chosen) for name in ImportLine.Outcome.values if counts.get(name)]
    missing = every - sum(counts.values())
    if column == "outcome" and missing > 0:
        tallies.append(Tally("open", missing, chosen == "open"))
    return tallies
