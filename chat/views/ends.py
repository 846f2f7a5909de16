"""The end of a conversation: closed by its person, and what was remembered of it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from chat.extraction.ends import close
from chat.extraction.telling import describe_ending
from chat.interruption import mark_interrupted
from chat.sending import SendError
from chat.tasks import extract_memories
from chat.views.conversations import find_conversation
from chat.views.turns import announce_change, refuse
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest


@require_POST
def conversation_close(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """Refused while an answer is being written in it. Writing on opens it again."""
    conversation = find_conversation(request, conversation_id)
    mark_interrupted()
    if conversation.messages.unfinished().exists():
        return refuse(request, SendError("busy"))
    job = close(conversation)
    if job is not None:
        nudge(extract_memories, job.pk)
    if not request.htmx:
        return redirect("chat:conversation_detail", conversation.pk)
    conversation.refresh_from_db(fields=["closed_at"])
    return announce_change(show_end(request, conversation_id))


@require_GET
def conversation_end(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """The fragment alone; asks again by itself while there is news to come."""
    return show_end(request, conversation_id)


def show_end(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    conversation = find_conversation(request, conversation_id)
    context = {"conversation": conversation, "ending": describe_ending(conversation)}
    return render(request, "chat/_conversation_end.html", context)
