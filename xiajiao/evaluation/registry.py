"""What `manage.py evaluate` can measure: each app registers what it knows to measure."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
Options = dict[str, Any]


def ask_nothing(parser: ArgumentParser) -> None:
    """The arguments of an evaluation that has none."""


@dataclass(frozen=True)
class Evaluation:
    """`run` takes the command's options and writes into the database that is set up; `write` words its report for a
    terminal.

    `is_good`: whether the report shows what it should; the command fails else. `add_arguments`: what it has to be told.
    """

    name: str
    help: str
    run: Callable[[Options], Report]
    write: Callable[[Report], str]
    is_good: Callable[[Report], bool]
    add_arguments: Callable[[ArgumentParser], None] = ask_nothing


EVALUATIONS: dict[str, Evaluation] = {}


def register(evaluation: Evaluation) -> None:
    EVALUATIONS[evaluation.name] = evaluation
