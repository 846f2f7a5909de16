"""Telling workers that there is something to do. The row is the truth: a nudge that is lost only costs time."""

from __future__ import annotations

import logging
from functools import partial

from celery import Task
from celery import current_app as app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def nudge(task: Task, *arguments: int) -> None:
    """Tell a worker, when what it is to find is committed; where the broker is down, the sweep tells it later."""
    transaction.on_commit(partial(send, task, *arguments))


def send(task: Task, *arguments: int) -> None:
    try:
        task.apply_async(arguments, retry=False)
    except OperationalError as error:
        logger.warning("%s%s waits for the sweep, the broker failed: %s", task.name, arguments, error)


def send_by_name(name: str, expires: float | None = None) -> None:
    """For whoever can't import the task. In so many seconds it is forgotten where nobody takes it."""
    try:
        app.send_task(name, expires=expires, retry=False)
    except OperationalError as error:
        logger.warning("%s waits for the sweep, the broker failed: %s", name, error)
