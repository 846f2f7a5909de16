"""Indexes that don't agree with their rows, and those that are being made anew, as the page of health sees them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from memories.health.jobs import JobSource, JobState, Scope, register
from memories.models import IndexDrift, Reindexing


def read_drift(scope: Scope) -> JobState:
    rows = [row for row in IndexDrift.objects.select_related("agent") if scope.covers(row.user_id, row.agent.owner_id)]
    count = sum(row.lacking + row.too_much for row in rows)
    return JobState(count, count, min((row.found_at for row in rows), default=None))


def read_reindexing(scope: Scope) -> JobState:
    jobs = list(find_jobs(scope))
    stuck = [job for job in jobs if job.state == Reindexing.State.FAILED]
    left = sum(max(job.total - job.done, 1) for job in jobs)
    error = next((job.error for job in stuck), "")
    return JobState(left, len(stuck), min((job.created_at for job in jobs), default=None), error)


def retry_reindexing(scope: Scope) -> None:
    find_jobs(scope).filter(state=Reindexing.State.FAILED).update(state=Reindexing.State.WAITING, error="")


def find_jobs(scope: Scope) -> QuerySet[Reindexing]:
    jobs = Reindexing.objects.exclude(state=Reindexing.State.DONE)
    if scope.everybody and scope.user.is_staff:
        return jobs
    return jobs.filter(agent__owner=scope.user)


register(
    JobSource(
        "drift",
        _("Indexes that don't agree"),
        _("Memories that a search can't find, or entries of memories that are gone: made right from the memories."),
        read_drift,
        lambda _scope: None,
        "memories.tasks.mend_indexes",
    )
)
register(
    JobSource(
        "reindexing",
        _("Indexes made anew"),
        _("Full text and vectors are made from the memories; what is there serves until then."),
        read_reindexing,
        retry_reindexing,
        "memories.tasks.reindex",
    )
)
