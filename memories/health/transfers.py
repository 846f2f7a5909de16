"""Imports and exports that are not over, as the page of health sees them: the person's own, for staff too."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.health.jobs import JobSource, JobState, Scope, register
from memories.models import Export, Import
from memories.transfer.exporting import cancel_export
from memories.transfer.starting import cancel_import, discard, retry
from memories.transfer.wording import explain_error


def find_imports(scope: Scope) -> QuerySet[Import]:
    """At work, or failed with the file still there; what waits for the person's word is no work."""
    running = Q(state__in=Import.WORKED_AT) | Q(state=Import.State.FAILED)
    return Import.objects.for_user(scope.user).filter(running).exclude(stored_as="")


def find_exports(scope: Scope) -> QuerySet[Export]:
    return Export.objects.for_user(scope.user).filter(state=Export.State.WRITING)


def is_stuck(job: Import | Export) -> bool:
    return not job.is_running or (job.heartbeat or job.created_at) < timezone.now() - job.SILENCE * 2


def read_imports(scope: Scope) -> JobState:
    jobs = list(find_imports(scope))
    stuck = [job for job in jobs if is_stuck(job)]
    error = next((explain_error(job.error) for job in stuck if job.error), "")
    return JobState(len(jobs), len(stuck), min((job.created_at for job in jobs), default=None), error)


def read_exports(scope: Scope) -> JobState:
    jobs = list(find_exports(scope))
    return JobState(len(jobs), len(list(filter(is_stuck, jobs))), min((job.created_at for job in jobs), default=None))


def retry_imports(scope: Scope) -> None:
    """Those whose worker died the sweep finds by itself."""
    for job in find_imports(scope).filter(state=Import.State.FAILED):
        retry(job)


def cancel_imports(scope: Scope) -> None:
    """What is in stays in; of one that failed the file goes, and the report stays."""
    for job in filter(is_stuck, find_imports(scope)):
        if job.is_running:
            cancel_import(job)
        else:
            discard(job)


def cancel_exports(scope: Scope) -> None:
    for export in filter(is_stuck, find_exports(scope)):
        cancel_export(export)


register(
    JobSource(
        "imports",
        _("Imports"),
        _("Files that are looked through or brought in; what is in is not done again."),
        read_imports,
        retry_imports,
        "memories.tasks.sweep_transfers",
        cancel_imports,
        "memories:import_create",
    )
)
register(
    JobSource(
        "exports",
        _("Exports"),
        _("Large files that are written for you to download."),
        read_exports,
        lambda _scope: None,
        "memories.tasks.sweep_transfers",
        cancel_exports,
        "memories:export_create",
    )
)
