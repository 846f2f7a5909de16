"""Who takes jobs from which queue: workers leave a short-lived mark in the broker, which anyone may read."""

from __future__ import annotations

from collections.abc import Iterable

from celery import Celery

from xiajiao.broker import connect

# Seconds that a mark lives. A worker renews it every two; a busy machine may skip some.
LIFE = 15
KEY = "xiajiao:consumer:"


def mark_consumer(queues: Iterable[str], worker: str) -> None:
    """Say that `worker` takes jobs from these queues. Raises redis.RedisError."""
    with connect() as client:
        pipeline = client.pipeline()
        for queue in queues:
            pipeline.set(KEY + queue, worker, ex=LIFE)
        pipeline.execute()


def unserved_queues(app: Celery) -> list[str]:
    """The queues that jobs may be sent to and nobody takes them from. Raises redis.RedisError."""
    queues = known_queues(app)
    with connect() as client:
        marks = client.mget([KEY + queue for queue in queues])
    return [queue for queue, mark in zip(queues, marks, strict=True) if mark is None]


def known_queues(app: Celery) -> list[str]:
    """The default queue, those declared, and those that a route or a task names."""
    named = set(app.amqp.queues) | {app.conf.task_default_queue}
    routes = app.conf.task_routes or {}
    named |= {route["queue"] for route in routes.values() if isinstance(route, dict) and "queue" in route}
    named |= {task.queue for task in app.tasks.values() if getattr(task, "queue", None)}
    return sorted(named)
