"""One memory, in the side drawer or on a page of its own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from memories import gate
from memories.chain import trace_chain
from memories.filtering import seen_by
from memories.forms.memories import MemoryForm
from memories.history import read_history
from memories.models import Memory, MemoryRevision
from xiajiao.requests import SignedInRequest

RELATED = ("agent", "type", "user", "superseded_by")


@require_GET
def memory_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    return show(request, find_memory(request, pk))


def find_memory(request: SignedInRequest, pk: int) -> Memory:
    return get_object_or_404(seen_by(request.user).select_related(*RELATED), pk=pk)


def find_editable(request: SignedInRequest, pk: int) -> Memory:
    """What all users of an agent share is seen by them, and changed by who owns the agent."""
    rows = Memory.objects.kept().editable_by(request.user)
    return get_object_or_404(rows.select_related(*RELATED), pk=pk)


def by_hand(request: SignedInRequest) -> gate.Origin:
    """The person who acts stands in the revision, be it their own memory or not."""
    return gate.Origin(
        MemoryRevision.Actor.PERSON,
        Memory.Source.MANUAL,
        user_id=request.user.pk,
        keeps_secrets="keep_secrets" in request.POST,
    )


def answer(request: SignedInRequest, memory: Memory, said: str, form: MemoryForm | None = None) -> HttpResponse:
    """After a change: the memory as it stands, what was done in a message, and word to the list beside the drawer."""
    if not request.htmx and form is None:
        messages.success(request, said)
        return redirect("memories:memory_detail", memory.pk)
    return announce(show(request, memory, said=said, form=form), memory)


def announce(response: HttpResponse, memory: Memory, *events: str) -> HttpResponse:
    """Rows and cards that show the memory ask again, and whoever listens to `events`."""
    response["HX-Trigger"] = ", ".join(["memory-changed", f"memory-{memory.pk}-changed", *events])
    return response


def into_dialog(response: HttpResponse) -> HttpResponse:
    """Whatever asked: this opens in the dialog."""
    response["HX-Retarget"], response["HX-Reswap"] = "#dialog-body", "innerHTML"
    response["HX-Reselect"] = "header, form"
    return response


def show(request: SignedInRequest, memory: Memory, status: int = 200, **context: Any) -> HttpResponse:
    """`form`: with what a person has typed; without it, a fresh one. `said`: told in a message of the page."""
    memory = Memory.objects.select_related(*RELATED).get(pk=memory.pk)
    form = context.pop("form", None) or MemoryForm(instance=memory, initial={"version": memory.version})
    form.auto_id = f"memory-{memory.pk}-%s"
    context |= {
        "memory": memory,
        "form": form,
        "chain": trace_chain(memory),
        "history": read_history(memory, is_whole="history" in request.GET),
        "can_change": Memory.objects.editable_by(request.user).filter(pk=memory.pk).exists(),
    }
    template = "memories/_memory_detail.html" if request.htmx else "memories/memory_detail.html"
    return render(request, template, context, status=status)
