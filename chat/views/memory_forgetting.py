"""Forget one memory for good, from its drawer: what would go and from where, and after that a receipt."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from chat.forgetting.mentions import find_mentions
from chat.forgetting.removing import preview
from chat.forgetting.running import begin
from chat.views.forgettings import go_on, tell
from memories.models import Memory
from xiajiao.requests import SignedInRequest


def memory_forget(request: SignedInRequest, memory_id: int) -> HttpResponse:
    """GET asks and lists, POST does it. A fragment for the side drawer; a page of its own without htmx.

    The messages that say it are its own person's to read and to tick; they stay where nothing is ticked.
    """
    rows = Memory.objects.editable_by(request.user).select_related("agent", "type", "user")
    memory = get_object_or_404(rows, pk=memory_id)
    mentions = find_mentions([memory], request.user.pk)
    if request.method != "POST":
        template = "chat/_memory_forget.html" if request.htmx else "chat/memory_forget.html"
        return render(request, template, {"memory": memory, "mentions": mentions, "amounts": preview(memory)})
    ticked = set(request.POST.getlist("message"))
    said = [mention.message.pk for mention in mentions]
    chosen = [pk for pk in said if "all_messages" in request.POST or str(pk) in ticked]
    forgetting = go_on(begin(request.user, [memory.pk], chosen, left=len(said) - len(chosen)))
    return tell(request, forgetting, gone=[memory.pk])
