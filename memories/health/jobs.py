"""Work in the background of which a person may want to know that it waits, is stuck or has failed.

Each part that has such work registers a JobSource; the page asks all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from xiajiao.models import User


@dataclass(frozen=True)
class Scope:
    """Whose work: the person's own, or, for staff, everybody's. `agent_id`: findings with this agent alone."""

    user: User
    everybody: bool = False
    agent_id: int | None = None

    def covers(self, user_id: int | None, owner_id: int | None) -> bool:
        """Of a thing of this person's, or, where there is none, of an agent of this owner."""
        if self.everybody and self.user.is_staff:
            return True
        return (owner_id if user_id is None else user_id) == self.user.pk


@dataclass(frozen=True)
class JobState:
    """`stuck`: how many of those that wait have failed or shown no sign of life for too long. `oldest`: of all.

    `is_more`: there are more than were counted.
    """

    waiting: int = 0
    stuck: int = 0
    oldest: datetime | None = None
    error: str = ""
    is_more: bool = False


@dataclass(frozen=True)
class JobSource:
    """`retry` makes what is stuck due again; `task` is the dotted name of the Celery task that takes it up.

    `cancel` gives up what is stuck; None: it can't be given up. `page`: the URL name of a page that tells more.
    """

    key: str
    name: Promise | str
    meaning: Promise | str
    read: Callable[[Scope], JobState]
    retry: Callable[[Scope], None]
    task: str
    cancel: Callable[[Scope], None] | None = None
    page: str = ""

    @property
    def can_cancel(self) -> bool:
        return self.cancel is not None


@dataclass(frozen=True)
class Job:
    source: JobSource
    state: JobState


_sources: dict[str, JobSource] = {}


def register(source: JobSource) -> None:
    _sources[source.key] = source


def find_source(key: str) -> JobSource | None:
    return _sources.get(key)


def read_jobs(scope: Scope) -> list[Job]:
    """Those of which something waits or is stuck, in the order of their registration."""
    jobs = [Job(source, source.read(scope)) for source in _sources.values()]
    return [job for job in jobs if job.state.waiting or job.state.stuck]
