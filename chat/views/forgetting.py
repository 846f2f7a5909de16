"""Forget one memory for good: what would go and from where, and after that a receipt."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from chat.forgetting import find_mentions, forget, preview
from memories.models import Memory
from memories.tasks import nudge_tidying
from xiajiao.requests import SignedInRequest


def memory_forget(request: SignedInRequest, memory_id: int) -> HttpResponse:
    """GET asks and lists, POST does it. A fragment for the side drawer; a page of its own without htmx.

    The messages that say it are its own person's to read and to tick; they stay where nothing is ticked.
    """
    rows = Memory.objects.editable_by(request.user).select_related("agent", "type", "user")
    memory = get_object_or_404(rows, pk=memory_id)
    mentions = find_mentions(memory) if memory.user_id == request.user.pk else []
    if request.method != "POST":
        context = {"memory": memory, "mentions": mentions, "amounts": preview(memory)}
        return show(request, "forget", context)
    ticked = set(request.POST.getlist("message"))
    chosen = [each.message.pk for each in mentions if "all_messages" in request.POST or str(each.message.pk) in ticked]
    receipt = [amount for amount in forget(memory, chosen) if amount.count]
    nudge_tidying()
    left = len(mentions) - len(chosen)
    context = {"memory_id": memory_id, "receipt": receipt, "left": left}
    response = show(request, "forgotten", context)
    response["HX-Trigger"] = "memory-changed"
    return response


def show(request: SignedInRequest, name: str, context: dict[str, object]) -> HttpResponse:
    template = f"chat/_memory_{name}.html" if request.htmx else "chat/memory_forget.html"
    return render(request, template, context | {"fragment": f"chat/_memory_{name}.html"})
