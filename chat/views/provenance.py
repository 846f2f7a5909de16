"""Where a memory comes from and where it was known; what was learned from a message."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from chat.models import Message
from chat.provenance import count_sources, list_learned, list_recalls, read_sources
from memories.filtering import seen_by
from memories.models import Memory
from xiajiao.requests import SignedInRequest, read_number


@require_GET
def memory_sources(request: SignedInRequest, memory_id: int) -> HttpResponse:
    """A section of the memory's drawer; a page of its own without htmx. Of other people's memories staff see less."""
    memory = get_object_or_404(seen_by(request.user).select_related("agent", "type", "user"), pk=memory_id)
    older_than = read_number(request.GET, "older_than")
    recalls = list_recalls(memory, request.user, older_than)
    if request.htmx and older_than is not None:
        return render(request, "chat/_memory_recalls.html", {"memory": memory, "recalls": recalls})
    can_change = Memory.objects.editable_by(request.user).filter(pk=memory.pk).exists()
    context = {"memory": memory, "recalls": recalls, "can_change": can_change}
    if memory.user_id in {None, request.user.pk}:
        context["found"] = read_sources(memory)
    else:
        context["hidden"] = count_sources(memory)
    template = "chat/_memory_sources.html" if request.htmx else "chat/memory_sources.html"
    return render(request, template, context)


@require_GET
def message_memories(request: SignedInRequest, message_id: int) -> HttpResponse:
    """A fragment for the side drawer; a page of its own without htmx."""
    messages = Message.objects.for_user(request.user).select_related("conversation__agent")
    message = get_object_or_404(messages, pk=message_id)
    context = {"message": message, "learned": list_learned(message)}
    template = "chat/_message_memories.html" if request.htmx else "chat/message_memories.html"
    return render(request, template, context)
