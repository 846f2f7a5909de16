"""Conversations: read one, find one, rename, delete, bring back."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.asking import list_questions
from chat.attachments import list_attachments
from chat.branches import END, Span, load_branch, switch_branch
from chat.deletion import delete_conversation, restore_conversation
from chat.extraction.telling import describe_ending
from chat.interruption import mark_interrupted
from chat.listing import list_conversations
from chat.models import Conversation, Message, SourceLoss
from chat.modes import list_choices
from chat.profile_losses import find_lost_changes
from chat.search import index_conversation
from chat.sending import LONGEST_MESSAGE, has_begun, make_title
from memories.models import Agent
from xiajiao.llm.sources import source_for
from xiajiao.requests import SignedInRequest, read_number


def conversation_detail(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """`?message=` opens it at that message, on the branch on which it stands."""
    conversation = find_conversation(request, conversation_id)
    mark_interrupted()
    sought = find_sought(request, conversation)
    if sought is not None:
        switch_branch(sought)
        conversation.refresh_from_db(fields=["leaf"])
    return render(request, "chat/conversation_detail.html", describe_conversation(request, conversation, sought=sought))


def find_sought(request: SignedInRequest, conversation: Conversation) -> Message | None:
    message_id = read_number(request.GET, "message")
    messages = conversation.messages.kept().select_related("conversation")
    return None if message_id is None else messages.filter(pk=message_id).first()


def describe_conversation(
    request: SignedInRequest, conversation: Conversation, text: str = "", sought: Message | None = None
) -> dict[str, Any]:
    """`text`: what the composer holds, where a send was refused. `sought`: the message that it opens at."""
    agent = conversation.agent
    return {
        "conversation": conversation,
        "agent": agent,
        "agents": list(Agent.objects.for_user(request.user).unarchived().order_by("pk")),
        "source": source_for(agent.provider, agent.model_name),
        "modes": None if has_begun(conversation) else list_choices(conversation.mode),
        "ending": describe_ending(conversation),
        "page": load_branch(conversation, Span(around=sought.pk) if sought else END),
        "sought": sought,
        "questions": list_questions(request.user, conversation),
        "list": list_conversations(request.user),
        "attachments": list_attachments(conversation),
        "most": settings.KB_FILE_MAX_MB,
        "text": text,
        "token": uuid4(),
        "longest": LONGEST_MESSAGE,
        "draft": conversation.pk,
    }


@require_GET
def conversation_list(request: SignedInRequest) -> HttpResponse:
    """The list alone: searched, for one agent, or its next page."""
    agent_id, older_than = read_number(request.GET, "agent"), read_number(request.GET, "older_than")
    query = request.GET.get("q", "")[:200]
    context = {
        "list": list_conversations(request.user, agent_id, query, older_than),
        "current_id": read_number(request.GET, "current"),
        "query": query,
        "agent_id": agent_id,
    }
    return render(request, "chat/_conversation_list.html", context)


@require_GET
def message_list(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """The messages above one of the branch that is read, or with `after` those below it."""
    conversation = find_conversation(request, conversation_id)
    before, after = read_number(request.GET, "before"), read_number(request.GET, "after")
    page = load_branch(conversation, Span(before, after if before is None else None))
    context = {"conversation": conversation, "page": page, "direction": "down" if before is None else "up"}
    return render(request, "chat/_message_list.html", context)


@require_POST
def conversation_update(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    conversation = find_conversation(request, conversation_id)
    title = request.POST.get("title", "")
    if title.strip():
        conversation.title = make_title(title)
        conversation.save(update_fields=["title"])
        index_conversation(conversation)
    return redirect("chat:conversation_detail", conversation.pk)


@require_POST
def conversation_delete(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    conversation = find_conversation(request, conversation_id)
    lost = delete_conversation(conversation)
    messages.success(
        request,
        _("“%(title)s” is deleted.") % {"title": conversation},
        extra_tags=f"undo:{reverse('chat:conversation_restore', args=[conversation.pk])}",
    )
    # What came from it alone is asked about at once.
    is_asked = any(loss.state == SourceLoss.State.OPEN for loss in lost)
    is_asked = is_asked or bool(find_lost_changes(request.user, conversation))
    query = f"?lost={conversation.pk}" if is_asked else ""
    return redirect(f"{reverse('chat:home')}{query}")


@require_POST
def conversation_restore(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """Undo a deletion, as long as the row is there."""
    deleted = Conversation.objects.filter(user=request.user, deleted_at__isnull=False)
    conversation = get_object_or_404(deleted, pk=conversation_id)
    restore_conversation(conversation)
    return redirect("chat:conversation_detail", conversation.pk)


def find_conversation(request: SignedInRequest, conversation_id: int) -> Conversation:
    rows = Conversation.objects.for_user(request.user).select_related("agent__provider")
    return get_object_or_404(rows, pk=conversation_id)
