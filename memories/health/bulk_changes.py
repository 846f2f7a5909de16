"""Changes of many memories that are not over, as the page of health sees them."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.bulk.running import cancel, go_on
from memories.bulk.wording import tell_error
from memories.health.jobs import JobSource, JobState, Scope, register
from memories.models import BulkChange
from memories.models.bulk import BulkChangeQuerySet

# A worker beats every few seconds, and the sweep comes four times a minute.
PATIENCE = timedelta(minutes=2)


def read_changes(scope: Scope) -> JobState:
    changes = list(find_open(scope))
    stuck = [change for change in changes if is_stuck(change)]
    error = next((tell_error(change) for change in stuck if change.error), "")
    return JobState(len(changes), len(stuck), min((change.created_at for change in changes), default=None), error)


def retry_changes(scope: Scope) -> None:
    """The sweep finds those whose worker died by itself."""
    for change in find_open(scope):
        go_on(change)


def cancel_changes(scope: Scope) -> None:
    for change in find_open(scope):
        if is_stuck(change):
            cancel(change)


def find_open(scope: Scope) -> BulkChangeQuerySet:
    changes = BulkChange.objects.left_open()
    return changes if scope.everybody and scope.user.is_staff else changes.filter(user=scope.user)


def is_stuck(change: BulkChange) -> bool:
    last_heard = change.heartbeat or change.created_at
    return not change.is_unfinished or last_heard < timezone.now() - PATIENCE


register(
    JobSource(
        "bulk_changes",
        _("Changes of many memories"),
        _("What somebody does to many memories at once; each batch counts as soon as it is done."),
        read_changes,
        retry_changes,
        "memories.tasks.sweep_bulk_changes",
        cancel_changes,
        "memories:bulk_change_list",
    )
)
