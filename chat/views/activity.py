"""Jobs of a person: what is looked through, what came of it, what failed, and another try."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from chat.activity import describe, list_documents, list_extractions
from chat.extraction.ends import ask_for_extraction
from chat.extraction.running import give_up, retry_all
from chat.indexing_health import retry_documents, retry_indexes
from chat.models import ExtractionJob
from chat.models.extraction import ExtractionJobQuerySet
from chat.tasks import extract_memories
from chat.views.conversations import find_conversation
from knowledge.tasks import sweep_documents
from memories.health.jobs import Scope
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest

State = ExtractionJob.State


@require_GET
def activity(request: SignedInRequest) -> HttpResponse:
    wanted = request.GET.get("state", "")
    state = wanted if wanted in State.values else ""
    extractions = list_extractions(request.user, state, request.GET.get("page"))
    states = [(value, label, extractions.counts.get(value, 0)) for value, label in State.choices]
    context = {"extractions": extractions, "documents": list_documents(request.user), "state": state, "states": states}
    return render(request, "chat/activity.html", context)


@require_GET
def extraction_detail(request: SignedInRequest, extraction_id: int) -> HttpResponse:
    """What was proposed and what became of it; in the side drawer or on a page of its own."""
    job = get_object_or_404(find(request).select_related("conversation__agent"), pk=extraction_id)
    [entry] = describe(request.user, [job])
    template = "chat/_extraction.html" if request.htmx else "chat/extraction_detail.html"
    return render(request, template, {"entry": entry, "job": job})


@require_POST
def extraction_retry(request: SignedInRequest, extraction_id: int) -> HttpResponse:
    job = get_object_or_404(find(request), pk=extraction_id)
    return again(request, find(request).filter(pk=job.pk))


@require_POST
def extraction_retry_all(request: SignedInRequest) -> HttpResponse:
    return again(request, find(request))


@require_POST
def extraction_give_up(request: SignedInRequest, extraction_id: int) -> HttpResponse:
    """Give up what failed; what follows in the conversation is read together with it."""
    job = get_object_or_404(find(request), pk=extraction_id)
    if give_up(find(request).filter(pk=job.pk)):
        messages.success(request, _("It is given up; what was done stays done."))
    return redirect("chat:activity")


@require_POST
def extraction_create(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """Look through a conversation now, and not only when it ends."""
    conversation = find_conversation(request, conversation_id)
    job = ask_for_extraction(conversation, ExtractionJob.Cause.ASKED)
    if job is None:
        messages.info(request, _("There is nothing new in it to look through."))
    else:
        nudge(extract_memories, job.pk)
        messages.success(request, _("It is being looked through; Activity tells what comes of it."))
    return redirect("chat:conversation_detail", conversation.pk)


@require_POST
def activity_documents(request: SignedInRequest) -> HttpResponse:
    """Read what failed again, and make the vectors that failed."""
    scope = Scope(request.user)
    retry_documents(scope)
    retry_indexes(scope)
    nudge(sweep_documents)
    messages.success(request, _("The documents are tried again."))
    return redirect("chat:activity")


def again(request: SignedInRequest, jobs: ExtractionJobQuerySet) -> HttpResponse:
    keys = retry_all(jobs)
    for key in keys:
        nudge(extract_memories, key)
    said = ngettext("It is tried again.", "%(count)d are tried again.", len(keys))
    messages.success(request, said % {"count": len(keys)} if keys else _("None of them had failed any more."))
    return redirect("chat:activity")


def find(request: SignedInRequest) -> ExtractionJobQuerySet:
    return ExtractionJob.objects.for_user(request.user)
