"""What `manage.py evaluate` can measure: an app above registers what it knows to measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]


@dataclass(frozen=True)
class Evaluation:
    """`run` writes into the database that is set up; `write` words its report for a terminal.

    `is_good`: whether the report shows what it should; the command fails else.
    """

    name: str
    help: str
    run: Callable[[], Report]
    write: Callable[[Report], str]
    is_good: Callable[[Report], bool]


EVALUATIONS: dict[str, Evaluation] = {}


def register(evaluation: Evaluation) -> None:
    EVALUATIONS[evaluation.name] = evaluation
