"""Bring memories in: a file, what would become of it, and what became of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memories.forms.transfers import AgreementForm, ImportForm, TargetForm
from memories.models import Import, ImportLine
from memories.tasks import run_import
from memories.transfer import starting
from memories.views.importlines import list_tallies, read_page
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest

RECENT = 10
Outcome = ImportLine.Outcome
# Of these an import writes something, where nothing else is chosen.
WRITTEN = {Outcome.ADD, Outcome.REINFORCE, Outcome.SUPERSEDE, Outcome.RESTORE}
# Reasons of lines that come in only where the person says so.
GONE = ("deleted_here", "forgotten_here")


@require_http_methods(["GET", "HEAD", "POST"])
def import_create(request: SignedInRequest) -> HttpResponse:
    """The file is only looked through; nothing of it is written before the person has seen what it holds."""
    is_sent = request.method == "POST"
    form = ImportForm(request.POST if is_sent else None, request.FILES if is_sent else None, user=request.user)
    if is_sent and form.is_valid():
        job = receive(request, form)
        nudge(run_import, job.pk)
        return redirect("memories:import_detail", job.pk)
    context = {"form": form, "imports": Import.objects.for_user(request.user)[:RECENT], "most": settings.IMPORT_MAX_MB}
    return render(request, "memories/import_create.html", context, status=422 if form.errors else 200)


def receive(request: SignedInRequest, form: ImportForm) -> Import:
    """What the browser calls the file is shown and used for nothing."""
    file: UploadedFile = form.cleaned_data["file"]
    columns = form.columns | {"given_name": file.name or ""}
    if isinstance(file, TemporaryUploadedFile):
        return starting.begin_import(request.user, Path(file.temporary_file_path()), is_moved=True, **columns)
    with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
        for piece in file.chunks():
            spool.write(piece)
        spool.flush()
        return starting.begin_import(request.user, Path(spool.name), **columns)


def find_import(request: SignedInRequest, pk: int) -> Import:
    rows = Import.objects.for_user(request.user).select_related("agent", "person")
    return get_object_or_404(rows, pk=pk)


@require_GET
def import_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    """Progress, the dry run, or the report. The fragment that shows progress loads the page when it is over."""
    job = find_import(request, pk)
    if request.htmx and job.is_running:
        return render(request, "memories/_import_state.html", {"job": job})
    if request.htmx and "was" in request.GET:
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("memories:import_detail", args=[job.pk])})
    return show(request, job, TargetForm(user=request.user, initial=targets_of(job)))


def targets_of(job: Import) -> dict[str, Any]:
    return {"format": job.format, "agent": job.agent_id, "person": str(job.person_id or "")}


def show(request: SignedInRequest, job: Import, form: TargetForm, status: int = 200) -> HttpResponse:
    column = "outcome" if job.was_written else "forecast"
    context = {
        "job": job,
        "form": form,
        "agreement": AgreementForm(initial={"conflicts": job.conflicts, "brings_back": job.brings_back}),
        "page": read_page(job, column, request.GET),
        "tallies": list_tallies(job, column, request.GET),
        "deleted": job.state == Import.State.CHECKED and job.lines.filter(reason__in=GONE).exists(),
        "taken": sum(count for outcome, count in job.forecast.items() if outcome in WRITTEN),
    }
    return render(request, "memories/import_detail.html", context, status=status)


@require_POST
def import_start(request: SignedInRequest, pk: int) -> HttpResponse:
    """Write what the dry run has shown."""
    job = find_import(request, pk)
    form = AgreementForm(request.POST)
    if form.is_valid() and starting.agree(job, **form.cleaned_data):
        nudge(run_import, job.pk)
    return redirect("memories:import_detail", job.pk)


@require_POST
def import_check(request: SignedInRequest, pk: int) -> HttpResponse:
    """Look through it again, as another format or into another memory."""
    job = find_import(request, pk)
    form = TargetForm(request.POST, user=request.user)
    if not form.is_valid():
        return show(request, job, form, 422)
    if job.was_written or not starting.check_again(job, **form.columns):
        messages.error(request, _("It can't be looked through again: upload the file once more."))
    else:
        nudge(run_import, job.pk)
    return redirect("memories:import_detail", job.pk)


@require_POST
def import_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    job = find_import(request, pk)
    starting.cancel_import(job)
    nudge(run_import, job.pk)
    return redirect("memories:import_detail", job.pk)


@require_POST
def import_retry(request: SignedInRequest, pk: int) -> HttpResponse:
    job = find_import(request, pk)
    if starting.retry(job):
        nudge(run_import, job.pk)
    else:
        messages.error(request, _("The file is no longer here. Upload it again."))
    return redirect("memories:import_detail", job.pk)


@require_POST
def import_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """The file and the report; the memories stay."""
    job = find_import(request, pk)
    if job.is_running:
        messages.error(request, _("It is under way: cancel it first."))
        return redirect("memories:import_detail", job.pk)
    starting.discard(job)
    job.delete()
    messages.success(request, _("The report is removed. The memories stay."))
    return redirect("memories:import_create")
