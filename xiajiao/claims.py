"""Who works at a job. The row says so: one that two workers are told of is done by one, and taken over when the
process of that one is gone or its heartbeat stops."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

from django.db import DatabaseError
from django.utils import timezone

from xiajiao.models import ClaimedJob
from xiajiao.runners import is_gone, name_runner

logger = logging.getLogger(__name__)

# Seconds after which a job goes to the back of the queue, so that a long one doesn't keep the others waiting.
SLICE = 240.0
# Workers that a job may outlive without getting on; then it is the job that kills them.
ATTEMPTS = 4

Job = TypeVar("Job", bound=ClaimedJob)


class LostClaimError(Exception):
    """Another worker has taken the job over, or it is gone: nothing more may be written for it."""


def claim(job: Job, **columns: Any) -> Job | None:
    """The job as it stands, ours from now on; None where somebody works at it or nothing is left to do. The columns
    are written with the claim."""
    rows = type(job)._default_manager.filter(pk=job.pk, state__in=job.WORKED_AT)
    current = rows.first()
    if current is None or not is_free(current):
        return None
    columns |= {"claim": f"{name_runner()}/{uuid4().hex[:8]}", "heartbeat": timezone.now()}
    columns["attempts"] = current.attempts + bool(current.claim)
    # Whoever was silent may beat again in this instant.
    if not rows.filter(claim=current.claim, heartbeat=current.heartbeat).update(**columns):
        return None
    return rows.filter(claim=columns["claim"]).first()


def is_free(job: ClaimedJob) -> bool:
    """Whether nobody works at it: whoever did has ended, or shown no sign of life for long."""
    return not job.claim or is_silent(job) or is_gone(job.claim.partition("/")[0])


def is_silent(job: ClaimedJob) -> bool:
    return (job.heartbeat or job.created_at) < timezone.now() - job.SILENCE


@contextmanager
def held(job: ClaimedJob) -> Iterator[None]:
    """Whatever is raised in the block leaves the job to the sweep; that it was lost to another worker is no error."""
    try:
        yield
    except LostClaimError:
        logger.info("%s %s is another worker's now", type(job).__name__, job.pk)
    except BaseException:
        with suppress(LostClaimError, DatabaseError):
            record(job, claim="", attempts=job.attempts + 1)
        raise


def record(job: ClaimedJob, **columns: Any) -> None:
    """Write the columns and the heartbeat, and learn whether the person has cancelled. Raises LostClaimError."""
    columns |= {"heartbeat": timezone.now()}
    rows = type(job)._default_manager.filter(pk=job.pk, claim=job.claim)
    if not job.claim or not rows.update(**columns):
        raise LostClaimError
    for name, value in columns.items():
        setattr(job, name, value)
    job.is_cancelled = rows.values_list("is_cancelled", flat=True).first() or False


def release(job: ClaimedJob, **columns: Any) -> None:
    """Another worker may go on at once. Raises LostClaimError."""
    record(job, **{"claim": "", "attempts": 0} | columns)


def end(job: ClaimedJob, state: str, **columns: Any) -> None:
    """Raises LostClaimError."""
    release(job, state=state, finished_at=timezone.now(), **columns)


def slice_end() -> float:
    """By the clock of `time.monotonic`."""
    return time.monotonic() + SLICE


def is_over(until: float) -> bool:
    return time.monotonic() > until


def find_abandoned(model: type[Job]) -> list[int]:
    """Keys of jobs that nobody works at, for the sweep to nudge."""
    jobs = model._default_manager.filter(state__in=model.WORKED_AT).order_by("pk")
    signs = jobs.only("claim", "heartbeat", "created_at")
    return [job.pk for job in signs if (is_free(job) if job.claim else is_overdue(job))]


def is_overdue(job: ClaimedJob) -> bool:
    """Nobody has begun it though a worker was told of it: the message is lost, or all of them are busy."""
    return (job.heartbeat or job.created_at) < timezone.now() - job.PICKED_UP
