"""Extractions that are not over, as the page of health sees them."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.extraction.running import give_up, retry_all
from chat.extraction.wording import explain_reason
from chat.models import ExtractionJob
from chat.models.extraction import ExtractionJobQuerySet
from memories.health.jobs import JobSource, JobState, Scope, register

State = ExtractionJob.State
# One that nobody has begun after so long waits for workers that don't come.
LONG = timedelta(hours=1)


def find_open(scope: Scope) -> ExtractionJobQuerySet:
    jobs = ExtractionJob.objects.filter(state__in=[State.WAITING, State.FAILED])
    if scope.everybody and scope.user.is_staff:
        return jobs.filter(conversation__deleted_at__isnull=True)
    return jobs.for_user(scope.user)


def read_extractions(scope: Scope) -> JobState:
    jobs = find_open(scope)
    failed = jobs.filter(state=State.FAILED)
    unbegun = jobs.due().filter(tries=0, created_at__lt=timezone.now() - LONG)
    first = failed.first()
    error = explain_reason(first.state, first.reason) if first is not None else ""
    oldest = jobs.aggregate(oldest=Min("created_at"))["oldest"]
    return JobState(jobs.count(), failed.count() + unbegun.count(), oldest, error)


def retry_extractions(scope: Scope) -> None:
    """The sweep finds those whose worker died by itself."""
    retry_all(find_open(scope))


def give_up_extractions(scope: Scope) -> None:
    give_up(find_open(scope))


register(
    JobSource(
        "extractions",
        _("Looking through conversations"),
        _("Conversations that have ended or grown, and are looked through for what is worth remembering."),
        read_extractions,
        retry_extractions,
        "chat.tasks.sweep_extractions",
        give_up_extractions,
        page="chat:activity",
    )
)
