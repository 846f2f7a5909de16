"""What a Celery worker does beside its jobs: it shows that it lives, and its pool dies with it."""

from __future__ import annotations

import logging
import os
from typing import Any

import redis
from celery import Celery
from celery.signals import heartbeat_sent, worker_process_init, worker_ready

from xiajiao.consumers import mark_consumer
from xiajiao.supervisor.launcher import tie_to_parent

logger = logging.getLogger(__name__)


@worker_process_init.connect
def tie_pool_process(**_: Any) -> None:
    """A killed worker can't end its pool; the children would wait for jobs for ever."""
    tie_to_parent(os.getppid())


@worker_ready.connect
def mark_at_once(sender: Any, **_: Any) -> None:
    mark(sender.app, sender.hostname)


@heartbeat_sent.connect
def mark_again(sender: Any, **_: Any) -> None:
    mark(sender.eventer.app, sender.eventer.hostname)


def mark(app: Celery, worker: str) -> None:
    try:
        mark_consumer(app.amqp.queues.consume_from, worker)
    except redis.RedisError as error:
        logger.warning("This worker can't show that it lives, the broker failed: %s", error)
