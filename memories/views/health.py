"""What is doubtful in what agents remember: look at it, settle it, take that back."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories.health.jobs import Scope, find_source
from memories.health.overview import JOBS, Overview, Place, list_agents, list_findings, read_overview
from memories.health.settling import CHOICES, FINAL, SettledError, settle, take_back
from memories.health.sweeping import ask
from memories.health.wording import KINDS, say_settled
from memories.models import Finding
from memories.reindexing import ask as ask_for_reindexing
from memories.tasks import look_for_doubts_now, reindex
from memories.views.memory_detail import by_hand
from xiajiao.models import User
from xiajiao.nudging import nudge, send_by_name
from xiajiao.requests import SignedInRequest, read_number, read_numbers

# As many as a page shows.
MOST = 50


@require_GET
def health(request: SignedInRequest) -> HttpResponse:
    scope = read_scope(request.GET, request.user)
    overview = read_overview(scope)
    kind = choose_kind(request.GET.get("kind", ""), overview)
    context: dict[str, Any] = {"scope": scope, "overview": overview, "kind": kind, "words": KINDS[kind]}
    context["cards"] = [(key, words, overview.counts[key]) for key, words in KINDS.items() if key in overview.counts]
    after = Place.read(request.GET.get("after", ""))
    context["agents"] = list_agents(scope)
    if kind != JOBS:
        context |= {"page": list_findings(scope, kind, after), "choices": CHOICES[kind], "after": after or ""}
    return render(request, "memories/health.html", context)


def choose_kind(wanted: str, overview: Overview) -> str:
    """The first of which there is something, unless another one is asked for."""
    if wanted in overview.counts:
        return wanted
    return next((kind for kind, count in overview.counts.items() if count), next(iter(overview.counts)))


@require_POST
def finding_settle(request: SignedInRequest) -> HttpResponse:
    """One finding or all that are ticked; those that somebody else has settled meanwhile are left alone."""
    kind, decision = request.POST.get("kind", ""), request.POST.get("decision", "")
    settled = []
    if decision in CHOICES.get(kind, ()):
        for finding in find_findings(request, request.POST).filter(kind=kind).open():
            try:
                settle(finding, decision, by_hand(request))
                settled.append(finding.pk)
            except SettledError:
                messages.warning(request, _("Something has changed meanwhile: one of them is no longer to be settled."))
    if settled:
        if decision in FINAL:
            messages.success(request, say_settled(kind, decision, len(settled)))
            return back(request, request.POST)
        shown = {"finding": settled, "kind": kind, "person": request.POST.get("person", "")[:3]}
        undo = f"{reverse('memories:finding_reopen')}?{urlencode(shown, doseq=True)}"
        messages.success(request, say_settled(kind, decision, len(settled)), extra_tags=f"undo:{undo}")
    return back(request, request.POST)


@require_POST
def finding_reopen(request: SignedInRequest) -> HttpResponse:
    """Take decisions back."""
    found = find_findings(request, request.GET).filter(settled_at__isnull=False)
    for finding in found:
        take_back(finding, by_hand(request))
    if found:
        messages.success(request, _("It is taken back."))
    return back(request, request.GET)


@require_POST
def health_look(request: SignedInRequest) -> HttpResponse:
    """Look at everything that changed now, and not bit by bit."""
    ask()
    nudge(look_for_doubts_now)
    return back(request, request.POST)


@require_POST
def job_retry(request: SignedInRequest) -> HttpResponse:
    source = find_source(request.POST.get("job", ""))
    if source is not None:
        source.retry(read_scope(request.POST, request.user))
        send_by_name(source.task)
        messages.success(request, _("It is tried again."))
    return back(request, request.POST)


@require_POST
def job_cancel(request: SignedInRequest) -> HttpResponse:
    """Give up what is stuck. What was done stays done."""
    source = find_source(request.POST.get("job", ""))
    if source is not None and source.cancel is not None:
        source.cancel(read_scope(request.POST, request.user))
        messages.success(request, _("It is given up; what was done stays done."))
    return back(request, request.POST)


@require_POST
def health_reindex(request: SignedInRequest) -> HttpResponse:
    """Staff have all indexes made anew."""
    if request.user.is_staff:
        ask_for_reindexing(None, is_whole=True, user_id=request.user.pk)
        nudge(reindex)
        messages.success(request, _("The indexes are made anew in the background."))
    return back(request, request.POST)


def find_findings(request: SignedInRequest, values: QueryDict) -> Any:
    wanted = read_numbers(values, "finding", MOST)
    mine = Finding.objects.editable_by(request.user)
    return mine.filter(pk__in=wanted).select_related("memory__agent", "memory__type", "other__agent")


def read_scope(values: QueryDict, user: User) -> Scope:
    return Scope(user, user.is_staff and values.get("person") == "all", read_number(values, "agent"))


def back(request: SignedInRequest, values: QueryDict) -> HttpResponse:
    """To the page as it was looked at."""
    kind, after = values.get("kind", ""), Place.read(values.get("after", ""))
    kept = {"kind": kind} if kind in KINDS else {}
    scope = read_scope(values, request.user)
    kept |= {"person": "all"} if scope.everybody else {}
    kept |= {"agent": str(scope.agent_id)} if scope.agent_id is not None else {}
    kept |= {"after": str(after)} if after else {}
    return redirect(f"{reverse('memories:health')}?{urlencode(kept)}")
