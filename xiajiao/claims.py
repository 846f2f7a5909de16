"""Who works at a job. The row says so: one that two workers are told of is done by one, and taken over when the
heartbeat of that one stops."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any, TypeVar
from uuid import uuid4

from django.db.models import Q
from django.utils import timezone

from xiajiao.models import ClaimedJob

# Longer than the slowest batch: a remote embedder is waited for a minute and a half.
SILENCE = timedelta(minutes=3)
# In which a worker takes up what it was told of.
PICKED_UP = timedelta(seconds=30)
# Seconds after which a job goes to the back of the queue, so that a long one doesn't keep the others waiting.
SLICE = 240.0
# Workers that a job may outlive without getting on; then it is the job that kills them.
ATTEMPTS = 4

Job = TypeVar("Job", bound=ClaimedJob)


class LostClaimError(Exception):
    """Another worker has taken the job over, or it is gone: nothing more may be written for it."""


def claim(job: Job) -> Job | None:
    """The job as it stands, ours from now on; None where somebody works at it or nothing is left to do."""
    model, now = type(job), timezone.now()
    free = Q(claim="") | Q(heartbeat__lt=now - SILENCE)
    rows = model._default_manager.filter(free, pk=job.pk, state__in=model.WORKED_AT)
    current = rows.first()
    if current is None:
        return None
    attempts = current.attempts + 1 if current.claim else current.attempts
    mark = uuid4().hex
    columns = {"claim": mark, "heartbeat": now, "attempts": attempts}
    if not rows.filter(claim=current.claim).update(**columns):
        return None
    return model._default_manager.get(pk=job.pk, claim=mark)


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
    record(job, claim="", attempts=0, **columns)


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
    now = timezone.now()
    quiet = Q(heartbeat__isnull=True, created_at__lt=now - PICKED_UP) | Q(claim="", heartbeat__lt=now - PICKED_UP)
    rows = model._default_manager.filter(quiet | Q(heartbeat__lt=now - SILENCE), state__in=model.WORKED_AT)
    return list(rows.order_by("pk").values_list("pk", flat=True))
