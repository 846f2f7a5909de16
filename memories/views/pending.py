"""What agents want to write and their person is asked about: seen, changed, approved, rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories.approval.deciding import UndecidedError, Word, approve, reject, reopen
from memories.approval.many import decide_many
from memories.approval.previews import Preview, preview_all
from memories.approval.wording import explain_problem, say_done, say_many
from memories.drafts import DraftError
from memories.models import Agent, PendingWrite
from memories.models.pending import PendingWriteQuerySet
from xiajiao.requests import SignedInRequest, read_number, read_numbers
from xiajiao.texts import unify_line_ends

# On a page: of what waits, and of what was decided lately.
PAGE, LATELY = 10, 20
NARROWING = ("agent", "answer", "message")


@require_GET
def pending_list(request: SignedInRequest) -> HttpResponse:
    """On a page, or for htmx in the side drawer; of one agent, or of what belongs under one answer."""
    return show(request, request.GET)


@require_POST
def pending_approve(request: SignedInRequest, pk: int) -> HttpResponse:
    """With the text as the person changed it, if they did."""
    pending, typed = find(request, pk), read_typed(request.POST)
    text = typed if typed != unify_line_ends(pending.text).strip() else None
    try:
        done = approve(pending, Word(text, read_number(request.POST, "seen")))
    except UndecidedError as error:
        return refuse(request, pending, typed, explain_problem(error.code))
    except DraftError:
        return refuse(request, pending, typed, explain_problem("unfit"))
    return tell(request, done)


def read_typed(values: QueryDict) -> str | None:
    """None where the form has no text."""
    return unify_line_ends(values.get("text", "")).strip() if "text" in values else None


@require_POST
def pending_reject(request: SignedInRequest, pk: int) -> HttpResponse:
    pending = find(request, pk)
    try:
        return tell(request, reject(pending))
    except UndecidedError as error:
        return refuse(request, pending, None, explain_problem(error.code))


@require_POST
def pending_reopen(request: SignedInRequest, pk: int) -> HttpResponse:
    """It waits again, where it was rejected and what it came from stands."""
    is_waiting = reopen(find(request, pk))
    pending = find(request, pk)
    if not request.htmx:
        messages.success(request, _("It waits again.") if is_waiting else say_done(pending))
        return redirect(address_of(request.POST))
    return show_row(request, pending)


@require_POST
def pending_decide(request: SignedInRequest) -> HttpResponse:
    """Of what is ticked, or with `scope` of all that are listed; what can't be is left, and told why."""
    rows = narrow(PendingWrite.objects.for_user(request.user).waiting(), request.POST)
    if request.POST.get("scope") != "all":
        rows = rows.filter(pk__in=read_numbers(request.POST, "pending", PAGE))
    is_approved = request.POST.get("decision") == "approve"
    for level, said in say_many(decide_many(rows, is_approved), is_approved):
        messages.add_message(request, level, said)
    return redirect(address_of(request.POST))


@require_GET
def pending_notice(request: SignedInRequest) -> HttpResponse:
    """The link to what waits, with its count."""
    return render(request, "memories/_pending_notice.html")


def find(request: SignedInRequest, pk: int) -> PendingWrite:
    rows = PendingWrite.objects.for_user(request.user).select_related("agent", "memory")
    return get_object_or_404(rows, pk=pk)


def narrow(rows: PendingWriteQuerySet, values: QueryDict) -> PendingWriteQuerySet:
    agent, answer = read_number(values, "agent"), read_number(values, "answer")
    if answer is not None:
        rows = rows.under({answer: read_number(values, "message")})
    return rows if agent is None else rows.filter(agent=agent)


def address_of(values: QueryDict, **more: int) -> str:
    named = {name: number for name in NARROWING if (number := read_number(values, name)) is not None} | more
    return reverse("memories:pending_list") + (f"?{urlencode(named)}" if named else "")


def show(request: SignedInRequest, values: QueryDict, status: int = 200, **more: Any) -> HttpResponse:
    own = PendingWrite.objects.for_user(request.user).select_related("agent", "memory")
    waiting = narrow(own.waiting(), values)
    rows = list(waiting[:PAGE])
    counts = own.waiting().count_by_agent()
    lately = narrow(own.decided(), values).order_by("-decided_at", "-pk")
    decided = Paginator(lately, LATELY).get_page(values.get("page"))
    context = {
        "previews": preview_all(rows),
        "more": max(0, waiting.count() - PAGE),
        "decided": decided,
        "is_turned": "page" in values,
        "newer": address_of(values, page=decided.number - 1) if decided.has_previous() else "",
        "older": address_of(values, page=decided.number + 1) if decided.has_next() else "",
        "agents": [(agent, counts[agent.pk]) for agent in Agent.objects.filter(pk__in=counts)],
        "total": sum(counts.values()),
        "wanted": {name: read_number(values, name) for name in NARROWING},
    }
    template = "memories/_pending_side.html" if request.htmx else "memories/pending_list.html"
    return render(request, template, context | more, status=status)


def show_row(request: SignedInRequest, pending: PendingWrite, status: int = 200, **more: Any) -> HttpResponse:
    """One of the list, as it stands."""
    previews: Sequence[Preview] = preview_all([pending]) if pending.is_waiting else []
    context: dict[str, Any] = {"pending": pending, "preview": previews[0] if previews else None, "is_answer": True}
    context["wanted"] = {name: read_number(request.POST, name) for name in NARROWING}
    response = render(request, "memories/_pending_row.html", context | more, status=status)
    response["HX-Trigger"] = "memory-changed, pending-changed"
    return response


def tell(request: SignedInRequest, pending: PendingWrite) -> HttpResponse:
    """After it was decided."""
    if request.htmx:
        return show_row(request, pending)
    messages.success(request, say_done(pending))
    return redirect(address_of(request.POST))


def refuse(request: SignedInRequest, pending: PendingWrite, typed: str | None, said: str) -> HttpResponse:
    """As it stands now, with why nothing was done and with what was typed."""
    pending = find(request, pending.pk)
    if request.htmx:
        return show_row(request, pending, 409, refused=pending.pk, refusal=said, typed=typed)
    if not pending.is_waiting:
        messages.warning(request, said)
        return redirect(address_of(request.POST))
    return show(request, request.POST, 409, refused=pending.pk, refusal=said, typed=typed)
