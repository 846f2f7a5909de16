"""What the page of health shows: counts by kind, the findings of one kind, and how far the looking has come."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.db.models import Q
from django.utils import timezone

from memories.health.jobs import Job, Scope, read_jobs
from memories.health.settling import CHOICES
from memories.health.sweeping import SILENT, STATE
from memories.models import Agent, Finding, HealthState, Memory
from memories.models.findings import FindingQuerySet

PAIRS, SINGLES = 10, 50
JOBS = "jobs"
# A worker that has not begun after so long is not there.
PATIENCE = timedelta(minutes=2)
# Score and id of the last finding that was shown.
PLACE = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,20})?)_([0-9]{1,18})")


@dataclass(frozen=True)
class Place:
    score: float
    pk: int

    def __str__(self) -> str:
        return f"{self.score:f}_{self.pk}"

    @classmethod
    def read(cls, text: str) -> Place | None:
        match = PLACE.fullmatch(text)
        return cls(float(match[1]), int(match[2])) if match else None


@dataclass(frozen=True)
class FindingPage:
    findings: Sequence[Finding]
    after: Place | None = None


@dataclass(frozen=True)
class LookState:
    """`left`: memories yet to be looked at. `is_asked`: somebody wants it now, and nobody has begun.

    `finished_at`: when none was left last; None: never.
    """

    left: int
    is_running: bool
    is_asked: bool
    finished_at: datetime | None
    error: str


@dataclass(frozen=True)
class Overview:
    counts: Mapping[str, int]
    jobs: Sequence[Job]
    looked: LookState

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def read_overview(scope: Scope) -> Overview:
    found = count_findings(scope)
    jobs = read_jobs(scope)
    counts = {kind: found.get(kind, 0) for kind in CHOICES} | {JOBS: sum(job.state.stuck for job in jobs)}
    return Overview(counts, jobs, read_looked(scope))


def count_findings(scope: Scope) -> dict[str, int]:
    """By kind, from indexes alone."""
    counts: Counter[str] = Counter()
    for part in find_open(scope).parts_of(scope.user, scope.everybody):
        counts.update(part.count_by_kind())
    return counts


def find_open(scope: Scope) -> FindingQuerySet:
    """Of the chosen agent, whosever they are."""
    found = Finding.objects.open()
    return found if scope.agent_id is None else found.filter(agent=scope.agent_id)


def list_agents(scope: Scope) -> list[Agent]:
    """Those of whom there is something to settle, and the one that is chosen."""
    parts = Finding.objects.open().order_by().parts_of(scope.user, scope.everybody)
    ids = {pk for part in parts for pk in part.values_list("agent_id", flat=True).distinct()}
    seen = Agent.objects.all() if scope.everybody else Agent.objects.for_user(scope.user)
    chosen = seen.none() if scope.agent_id is None else seen.filter(pk=scope.agent_id)
    return list(Agent.objects.filter(Q(pk__in=ids) | Q(pk__in=chosen)).order_by("name", "pk"))


def read_looked(scope: Scope) -> LookState:
    state = HealthState.objects.filter(pk=STATE).first() or HealthState()
    beats = state.heartbeat_at is not None and state.heartbeat_at > timezone.now() - SILENT
    left = sum(rows.count() for rows in Memory.objects.unlooked().order_by().parts_of(scope.user, scope.everybody))
    is_asked = state.asked_at is not None and state.asked_at > timezone.now() - PATIENCE
    return LookState(left, beats, is_asked, state.finished_at, state.error)


def list_findings(scope: Scope, kind: str, after: Place | None = None) -> FindingPage:
    """The surest first."""
    size = PAIRS if kind in {Finding.Kind.DUPLICATE, Finding.Kind.CONTRADICTION} else SINGLES
    further = Q() if after is None else Q(score__lt=after.score) | Q(score=after.score, pk__lt=after.pk)
    related = [f"{side}__{name}" for side in ("memory", "other") for name in ("agent", "type", "user")]
    rows = find_open(scope).filter(further, kind=kind).select_related(*related)
    parts = [part[: size + 1] for part in rows.parts_of(scope.user, scope.everybody)]
    found = sorted(chain.from_iterable(parts), key=lambda finding: (-finding.score, -finding.pk))[: size + 1]
    shown = found[:size]
    place = Place(shown[-1].score, shown[-1].pk) if len(found) > size else None
    return FindingPage(shown, place)
