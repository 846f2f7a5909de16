"""Take memories out: at once what is small, by a job what is large."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memories.filtering import read_filter, seen_by
from memories.finding import find_matching
from memories.forms.transfers import ExportForm
from memories.models import Export
from memories.models.memories import MemoryQuerySet
from memories.tasks import run_export
from memories.transfer.exporting import AT_ONCE, begin_export, cancel_export, write_export
from memories.transfer.plans import SUFFIXES, TYPES, Plan, everything, everything_of, everything_with, make_plan
from memories.transfer.storage import export_path
from xiajiao.models import User
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest
from xiajiao.views.downloads import download

RECENT = 10


@require_http_methods(["GET", "HEAD", "POST"])
def export_create(request: SignedInRequest) -> HttpResponseBase:
    """A file to download, or the page of the job that makes it; before that, the question what and how.

    From the list come its filters, from its bar what is selected there.
    """
    if "what" not in request.POST:
        values = request.POST if request.method == "POST" else request.GET
        return show(request, ExportForm(initial=read_initial(values, request.user), user=request.user))
    form = ExportForm(request.POST, user=request.user)
    if not form.is_valid():
        return show(request, form, 422)
    rows, agents = find_rows(form, request.user)
    plan = make_plan(form.cleaned_data["format"], rows, agents)
    if len(plan.keys) <= AT_ONCE:
        return send(plan)
    export = begin_export(request.user, plan)
    nudge(run_export, export.pk)
    return redirect("memories:export_detail", export.pk)


def read_initial(values: QueryDict, user: User) -> dict[str, Any]:
    if values.get("scope") == "all":
        return {"query": values.get("matching", ""), "what": ExportForm.LISTED}
    if "selected" in values:
        return {"ids": ",".join(filter(None, values.getlist("selected")))}
    wanted = read_filter(values, user)
    return {"query": wanted.as_query(), "agent": wanted.agent}


def show(request: SignedInRequest, form: ExportForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "exports": Export.objects.for_user(request.user)[:RECENT]}
    template = "memories/_export_dialog.html" if request.htmx else "memories/export_create.html"
    return render(request, template, context, status=status)


def find_rows(form: ExportForm, user: User) -> tuple[MemoryQuerySet, tuple[int, ...]]:
    """The memories, and the agents that go along whether they remember anything or not."""
    match form.cleaned_data["what"]:
        case ExportForm.LISTED:
            values = dict(parse_qsl(form.cleaned_data["query"]))
            return find_matching(user, read_filter(values, user)), ()
        case ExportForm.SELECTED:
            return seen_by(user).filter(pk__in=form.keys), ()
        case ExportForm.AGENT:
            return everything_with(form.cleaned_data["agent"], everything_of(user)[0])
        case ExportForm.EVERYBODY if user.is_staff:
            return everything()
        case _:
            return everything_of(user)


def send(plan: Plan) -> HttpResponseBase:
    """Written to a file that has no name, never to memory as a whole."""
    file = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 - closed when it is sent
    write_export(plan, file)
    size = file.tell()
    file.seek(0)
    return download(file, size, name_file(plan.format), TYPES[plan.format])


def name_file(format: str) -> str:
    return f"memories-{timezone.localdate():%Y-%m-%d}.{SUFFIXES[format]}"


def find_export(request: SignedInRequest, pk: int) -> Export:
    return get_object_or_404(Export.objects.for_user(request.user), pk=pk)


@require_GET
def export_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    export = find_export(request, pk)
    template = "memories/_export_state.html" if request.htmx else "memories/export_detail.html"
    return render(request, template, {"export": export})


@require_GET
def export_file(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """For the person alone who made it."""
    export = find_export(request, pk)
    if export.state != Export.State.READY:
        raise Http404
    try:
        file = export_path(export.stored_as).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    return download(file, export.size, name_file(export.format), TYPES[export.format])


@require_POST
def export_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    export = find_export(request, pk)
    cancel_export(export)
    return redirect("memories:export_detail", export.pk)
