"""Change many memories at once, see how far it is, stop it, and take it back."""

from __future__ import annotations

import logging
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import OperationalError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories.bulk.choosing import COUNTED, Selection, begin, count_chosen
from memories.bulk.deeds import read_deed
from memories.bulk.running import cancel, go_on, is_small
from memories.bulk.undoing import TooLateError, begin_undo
from memories.bulk.wording import tell_all
from memories.filtering import read_filter
from memories.models import BulkChange, Memory
from memories.tasks import run_bulk_change
from memories.views.selections import read_selection
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest

logger = logging.getLogger(__name__)
PAGE = 20
RELATED = ("user", "undoes")


@require_POST
def bulk_change_create(request: SignedInRequest) -> HttpResponse:
    """Small changes are done when the answer comes; of a larger one, the answer shows the progress."""
    selection, deed = read_selection(request.POST, request.user), read_deed(request.POST.get("action", ""))
    if deed is None or (selection.wanted is None and not selection.ids):
        return refuse(request, _("Choose memories, and what to do with them."))
    change = start(begin(request.user, selection, deed))
    if change.total == 0:
        return refuse(request, _("No memory matches any more."))
    return tell(request, change)


@require_GET
def bulk_change_count(request: SignedInRequest) -> HttpResponse:
    """How many the filter matches; past COUNTED it says so."""
    count = count_chosen(request.user, Selection(wanted=read_filter(request.GET, request.user)))
    return render(request, "memories/_bulk_count.html", {"count": min(count, COUNTED), "has_more": count > COUNTED})


@require_GET
def bulk_change_list(request: SignedInRequest) -> HttpResponse:
    changes = BulkChange.objects.filter(user=request.user).select_related(*RELATED)
    page = Paginator(changes, PAGE).get_page(request.GET.get("page"))
    return render(request, "memories/bulk_change_list.html", {"page": page})


@require_GET
def bulk_change_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    change = find_change(request, pk)
    # Whoever is staff no more doesn't see the memories of others that they changed.
    seen = Memory.objects.all() if request.user.is_staff else Memory.objects.for_user(request.user)
    revisions = change.revisions.filter(memory__in=seen).select_related("memory").order_by("pk")[:PAGE]
    return render(request, "memories/bulk_change_detail.html", {"change": change, "revisions": revisions})


@require_GET
def bulk_change_progress(request: SignedInRequest, pk: int) -> HttpResponse:
    """How far it is; when it is over, all of it is shown anew."""
    change = find_change(request, pk)
    if request.htmx and change.is_unfinished:
        return render(request, "memories/_bulk_progress.html", {"change": change})
    response = show(request, change)
    response["HX-Retarget"] = f"#bulk-change-{change.pk}"
    return response


@require_POST
def bulk_change_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    change = find_change(request, pk)
    cancel(change)
    return show(request, find_change(request, pk))


@require_POST
def bulk_change_retry(request: SignedInRequest, pk: int) -> HttpResponse:
    """Do what is left of one that failed or was stopped."""
    change = find_change(request, pk)
    if go_on(change):
        nudge(run_bulk_change, change.pk)
    return show(request, find_change(request, pk))


@require_POST
def bulk_change_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    change = find_change(request, pk)
    has_begun = change.undoings.exists()
    try:
        undoing = begin_undo(change, request.user)
    except TooLateError:
        return refuse(request, _("It is too late to take this back."))
    return tell(request, undoing if has_begun else start(undoing))


def find_change(request: SignedInRequest, pk: int) -> BulkChange:
    return get_object_or_404(BulkChange.objects.for_user(request.user).select_related(*RELATED), pk=pk)


def start(change: BulkChange) -> BulkChange:
    """As it stands afterwards: over where it is small, else waiting for a worker. What goes wrong stands in the row."""
    if is_small(change):
        do_now(change)
    else:
        nudge(run_bulk_change, change.pk)
    return BulkChange.objects.select_related(*RELATED).get(pk=change.pk)


def do_now(change: BulkChange) -> None:
    """Where the database is locked by now it is asked for all the same: the page says so, and a sweep does it."""
    try:
        run_bulk_change(change.pk)
    except OperationalError as error:
        logger.warning("The bulk change %s waits for the sweep, the database failed: %s", change.pk, error)


def tell(request: SignedInRequest, change: BulkChange) -> HttpResponse:
    """After a change was asked for: what came of it, with the way back; or how far it is."""
    if request.htmx:
        response = render(request, "memories/_bulk_told.html", {"change": change})
        return announce(response, "bulk-begun", *events_of(change))
    if change.is_unfinished:
        return redirect("memories:bulk_change_detail", change.pk)
    undo = f"undo:{reverse('memories:bulk_change_undo', args=[change.pk])}" if change.can_undo else ""
    messages.success(request, tell_all(change), extra_tags=undo)
    return redirect(find_way_back(request))


def show(request: SignedInRequest, change: BulkChange) -> HttpResponse:
    """One change as it stands."""
    if request.htmx:
        return announce(render(request, "memories/_bulk_change.html", {"change": change}), *events_of(change))
    return redirect("memories:bulk_change_detail", change.pk)


def events_of(change: BulkChange) -> list[str]:
    """Lists and cards that show the memories ask again when it is over."""
    return [] if change.is_unfinished else ["bulk-ended", "memory-changed"]


def announce(response: HttpResponse, *events: str) -> HttpResponse:
    if events:
        response["HX-Trigger"] = ", ".join(events)
    return response


def refuse(request: SignedInRequest, said: str) -> HttpResponse:
    if request.htmx:
        return render(request, "memories/_bulk_refused.html", {"said": said}, status=422)
    messages.error(request, said)
    return redirect(find_way_back(request))


def find_way_back(request: SignedInRequest) -> str:
    """The list as it was filtered."""
    query = urlencode(parse_qsl(request.POST.get("matching", "")))
    return f"{reverse('memories:memory_list')}{'?' if query else ''}{query}"
