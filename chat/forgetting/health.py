"""Forgettings that are not over, as the page of health sees them."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.forgetting.running import try_again
from chat.models import Forgetting
from chat.models.forgettings import ForgettingQuerySet
from memories.health.jobs import JobSource, JobState, Scope, register

State = Forgetting.State


def find_open(scope: Scope) -> ForgettingQuerySet:
    found = Forgetting.objects.filter(state__in=[State.PENDING, State.RUNNING, State.FAILED])
    return found if scope.everybody and scope.user.is_staff else found.for_user(scope.user)


def is_stuck(forgetting: Forgetting) -> bool:
    last_heard = forgetting.heartbeat or forgetting.created_at
    return not forgetting.is_pending or last_heard < timezone.now() - forgetting.SILENCE * 2


def read_forgettings(scope: Scope) -> JobState:
    found = list(find_open(scope))
    stuck = [forgetting for forgetting in found if is_stuck(forgetting)]
    error = next((forgetting.error for forgetting in stuck if forgetting.error), "")
    return JobState(len(found), len(stuck), min((forgetting.created_at for forgetting in found), default=None), error)


def retry_forgettings(scope: Scope) -> None:
    """The sweep finds those whose worker died by itself."""
    for forgetting in find_open(scope).filter(state=State.FAILED):
        try_again(forgetting)


register(
    JobSource(
        "forgettings",
        _("Forgetting for good"),
        _("Memories that somebody has forgotten for good; what is gone stays gone."),
        read_forgettings,
        retry_forgettings,
        "chat.tasks.sweep_forgettings",
        page="chat:forgetting_list",
    )
)
