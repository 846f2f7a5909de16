"""Files of a conversation: added to it, listed, told of beside the composer."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.attachments import list_attachments
from chat.models import Conversation
from chat.modes import read_mode
from chat.sending import SendError, open_conversation
from chat.views.conversations import describe_conversation, find_conversation
from chat.wording import explain_code
from knowledge.adding import Added
from knowledge.attaching import BESIDE, make_attached_base
from knowledge.forms.documents import find_fault_of_all
from knowledge.views.adding import receive
from memories.models import Agent
from xiajiao.requests import SignedInRequest, read_number

LONGEST_NAME = 4000


@require_POST
def attachment_begin(request: SignedInRequest) -> HttpResponse:
    """A conversation that begins with a file, as it is or to follow: its address comes in `Location`."""
    agent = get_object_or_404(Agent.objects.for_user(request.user), pk=read_number(request.POST, "agent"))
    try:
        conversation = open_conversation(request.user, agent, read_mode(request.POST.get("mode", "")))
    except SendError as error:
        return HttpResponse(explain_code(error.code), status=409, content_type="text/plain; charset=utf-8")
    if "fragment" in request.POST:
        address = reverse("chat:conversation_detail", args=[conversation.pk])
        return HttpResponse(status=201, headers={"Location": address})
    return take_all(request, conversation)


@require_POST
def attachment_create(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """Many files of a plain form, or one at a time from js/attaching.js, which asks for a fragment."""
    conversation = find_conversation(request, conversation_id)
    if "fragment" not in request.POST:
        return take_all(request, conversation)
    files = request.FILES.getlist("file")
    fault = find_fault_of_all(files)
    if not fault:
        fault, added = take(request, conversation, files[0], request.POST.get("name", "")[:LONGEST_NAME])
        if added is not None and added.is_due:
            return HttpResponse(status=201)
        fault = fault or _("It is attached already.")
    return HttpResponse(fault, status=422, content_type="text/plain; charset=utf-8")


def take_all(request: SignedInRequest, conversation: Conversation) -> HttpResponse:
    """Back to the conversation, with what was typed meanwhile."""
    files = request.FILES.getlist("file")
    fault = find_fault_of_all(files)
    for file in files if not fault else ():
        fault, _added = take(request, conversation, file)
        if fault:
            messages.error(request, f"\u2068{file.name}\u2069: {fault}")
    if fault and not files:
        messages.error(request, fault)
    text = request.POST.get("text", "")
    if not text.strip():
        return redirect("chat:conversation_detail", conversation.pk)
    context = describe_conversation(request, conversation, text)
    return render(request, "chat/conversation_detail.html", context)


def take(
    request: SignedInRequest, conversation: Conversation, file: UploadedFile, name: str = ""
) -> tuple[str, Added | None]:
    """What is wrong with it, or what became of it."""
    base = make_attached_base(request.user, conversation.pk)
    return receive(request, base, file, BESIDE, name)


@require_GET
def attachment_chips(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """Beside the composer; asks again by itself while there is news to come."""
    conversation = find_conversation(request, conversation_id)
    context = {"conversation": conversation, "attachments": list_attachments(conversation)}
    return render(request, "chat/_attachments.html", context)


@require_GET
def attachment_list(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """A fragment for the side drawer; a page of its own without htmx."""
    conversation = find_conversation(request, conversation_id)
    context = {"conversation": conversation, "attachments": list_attachments(conversation)}
    template = "chat/_attachment_list.html" if request.htmx else "chat/attachment_list.html"
    return render(request, template, context)
