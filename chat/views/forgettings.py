"""Forget everything about something for good: a topic, a preview of what would go, and a receipt that is kept."""

from __future__ import annotations

import logging
from collections.abc import Collection

from django.core.paginator import Paginator
from django.db import OperationalError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from chat.forgetting.previews import choose, preview_proposal, preview_topic
from chat.forgetting.proposing import dismiss
from chat.forgetting.receipts import write_receipt
from chat.forgetting.running import AT_ONCE, Topic, agree, begin, try_again
from chat.forms.forgetting import TopicForm
from chat.models import Forgetting
from chat.tasks import forget_memories
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest, read_number

logger = logging.getLogger(__name__)
PAGE = 20


@require_GET
def forgetting_list(request: SignedInRequest) -> HttpResponse:
    """Where a topic is named, and the receipts of all that was forgotten."""
    form = TopicForm(request.user, initial={"agent": read_number(request.GET, "agent")})
    return show_list(request, form)


@require_POST
def forgetting_preview(request: SignedInRequest) -> HttpResponse:
    """By POST, though it changes nothing: the topic stands in no address and no log."""
    form = TopicForm(request.user, request.POST)
    if not form.is_valid():
        return show_list(request, form, status=422)
    return show_preview(request, form)


@require_POST
def forgetting_create(request: SignedInRequest) -> HttpResponse:
    """What was ticked in the preview goes."""
    form = TopicForm(request.user, request.POST)
    if not form.is_valid():
        return show_list(request, form, status=422)
    topic, agent = form.cleaned_data["topic"], form.cleaned_data["agent"]
    preview = preview_topic(request.user, topic, agent.pk if agent else None)
    choice = choose(request.user, preview, request.POST.getlist)
    if choice.is_empty:
        return show_preview(request, form, status=422)
    about = Topic(topic, agent.pk if agent else None, spares_files=choice.spares_files)
    forgetting = begin(request.user, choice.memory_ids, choice.message_ids, choice.left, about)
    return tell(request, go_on(forgetting))


@require_GET
def forgetting_detail(request: SignedInRequest, forgetting_id: int) -> HttpResponse:
    """What an agent proposes, how far it is, or its receipt; in the side drawer or on a page of its own."""
    return show(request, find(request, forgetting_id))


@require_POST
def forgetting_agree(request: SignedInRequest, forgetting_id: int) -> HttpResponse:
    """What an agent proposed goes, as it was ticked."""
    forgetting = find(request, forgetting_id)
    if not forgetting.is_proposed:
        return tell(request, forgetting)
    preview = preview_proposal(forgetting)
    choice = choose(request.user, preview, request.POST.getlist)
    if choice.is_empty:
        return show(request, forgetting, status=422)
    forgetting.spares_files, forgetting.agent_number = choice.spares_files, preview.agent_id
    agreed = agree(forgetting, choice.memory_ids, choice.message_ids, choice.left)
    return tell(request, go_on(agreed), gone=choice.memory_ids)


@require_POST
def forgetting_dismiss(request: SignedInRequest, forgetting_id: int) -> HttpResponse:
    dismiss(find(request, forgetting_id))
    return tell(request, find(request, forgetting_id))


@require_POST
def forgetting_retry(request: SignedInRequest, forgetting_id: int) -> HttpResponse:
    """What is left of one that failed."""
    forgetting = find(request, forgetting_id)
    try_again(forgetting)
    return tell(request, go_on(find(request, forgetting_id)))


def find(request: SignedInRequest, forgetting_id: int) -> Forgetting:
    rows = Forgetting.objects.for_user(request.user).select_related("user", "answer__conversation")
    return get_object_or_404(rows, pk=forgetting_id)


def go_on(forgetting: Forgetting) -> Forgetting:
    """A few go while the person waits; what is more waits for a worker. What goes wrong stands in the row."""
    if forgetting.total <= AT_ONCE:
        forget_now(forgetting)
    else:
        nudge(forget_memories, forgetting.pk)
    return Forgetting.objects.select_related("user", "answer__conversation").get(pk=forgetting.pk)


def forget_now(forgetting: Forgetting) -> None:
    """Where the database is locked by now it is asked for all the same: the page says so, and a sweep does it."""
    try:
        forget_memories(forgetting.pk)
    except OperationalError as error:
        logger.warning("Forgetting %s waits for the sweep, the database failed: %s", forgetting.pk, error)


def tell(request: SignedInRequest, forgetting: Forgetting, gone: Collection[int] = ()) -> HttpResponse:
    """After it was done, or begun. `gone`: rows to be taken off the page."""
    if not request.htmx:
        return redirect("chat:forgetting_detail", forgetting.pk)
    response = show(request, forgetting, gone=gone)
    response["HX-Trigger"] = "memory-changed, forgetting-changed"
    return response


def show(
    request: SignedInRequest, forgetting: Forgetting, gone: Collection[int] = (), status: int = 200
) -> HttpResponse:
    context: dict[str, object] = {"forgetting": forgetting, "gone": gone, "has_chosen_none": status == 422}
    if forgetting.is_proposed:
        context["preview"] = preview_proposal(forgetting)
    else:
        context["receipt"] = write_receipt(forgetting)
    template = "chat/_forgetting.html" if request.htmx else "chat/forgetting_detail.html"
    return render(request, template, context, status=status)


def show_list(request: SignedInRequest, form: TopicForm, status: int = 200) -> HttpResponse:
    rows = Forgetting.objects.for_user(request.user).agreed()
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return render(request, "chat/forgetting_list.html", {"form": form, "page": page}, status=status)


def show_preview(request: SignedInRequest, form: TopicForm, status: int = 200) -> HttpResponse:
    agent = form.cleaned_data["agent"]
    preview = preview_topic(request.user, form.cleaned_data["topic"], agent.pk if agent else None)
    context = {"preview": preview, "agent": agent, "form": form, "has_chosen_none": status == 422}
    return render(request, "chat/forgetting_preview.html", context, status=status)
