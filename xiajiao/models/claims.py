from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone


class ClaimedJob(models.Model):
    """Work in the background of which the row is the truth; xiajiao/claims.py says who works at it.

    A subclass has a `state`, and names those in which there is something to do in `WORKED_AT`.
    """

    WORKED_AT: ClassVar[tuple[str, ...]] = ()
    # After so long without a heartbeat a worker is taken for dead; longer than its slowest step: a remote embedder is
    # waited for a minute and a half.
    SILENCE: ClassVar[timedelta] = timedelta(minutes=3)
    # In which a worker takes up what it was told of.
    PICKED_UP: ClassVar[timedelta] = timedelta(seconds=30)
    state: str

    # Workers that it has outlived without getting on.
    attempts = models.PositiveSmallIntegerField(default=0)
    # Names the worker that may write, as <process>/<mark>; empty where nobody works at it.
    claim = models.CharField(max_length=64, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    is_cancelled = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_running(self) -> bool:
        """Whether there is something to do, though perhaps nobody at it."""
        return self.state in self.WORKED_AT
