"""What a Celery worker does beside its jobs: it shows that it lives, and its pool dies with it."""

from __future__ import annotations

import logging
import os
from typing import Any

import redis
from celery import Celery
from celery.signals import heartbeat_sent, worker_process_init, worker_ready

from xiajiao.consumers import mark_consumer
from xiajiao.nudging import send_by_name
from xiajiao.schedule import SWEPT_AT_START
from xiajiao.supervisor.launcher import tie_to_parent

# Seconds: later, beat has told of it.
START_NUDGE = 60.0
logger = logging.getLogger(__name__)


@worker_process_init.connect
def tie_pool_process(**_: Any) -> None:
    """A killed worker can't end its pool; the children would wait for jobs for ever."""
    tie_to_parent(os.getppid())


@worker_ready.connect
def mark_at_once(sender: Any, **_: Any) -> None:
    mark(sender.app, sender.hostname)


@worker_ready.connect
def take_up_what_was_left(**_: Any) -> None:
    """The worker before this one may have been killed at something, and beat asks for it only now and then."""
    for name in SWEPT_AT_START:
        send_by_name(name, expires=START_NUDGE)


@heartbeat_sent.connect
def mark_again(sender: Any, **_: Any) -> None:
    mark(sender.eventer.app, sender.eventer.hostname)


def mark(app: Celery, worker: str) -> None:
    try:
        mark_consumer(app.amqp.queues.consume_from, worker)
    except redis.RedisError as error:
        logger.warning("This worker can't show that it lives, the broker failed: %s", error)
