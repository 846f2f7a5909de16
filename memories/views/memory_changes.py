"""What a person does to a memory with one click, and takes back with another."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memories import changes
from memories.forms.memories import MemoryForm
from memories.models import Memory
from memories.views.memory_detail import RELATED, announce, answer, by_hand, find_editable
from xiajiao.requests import SignedInRequest, read_switch


@require_POST
def memory_switch(request: SignedInRequest, pk: int) -> HttpResponse:
    memory = find_editable(request, pk)
    after = changes.set_enabled(memory, read_switch(request.POST, memory.enabled), by_hand(request))
    said = _("It is used again.") if after.enabled else _("It is no longer used.")
    return answer(request, after, said, keep_typed(request, memory, after))


@require_POST
def memory_pin(request: SignedInRequest, pk: int) -> HttpResponse:
    memory = find_editable(request, pk)
    after = changes.edit(memory, {"pinned": read_switch(request.POST, memory.pinned)}, by_hand(request))
    said = _("It goes into every conversation now.") if after.pinned else _("It goes along only where it fits.")
    return answer(request, after, said, keep_typed(request, memory, after))


@require_POST
def memory_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asked for twice, it is done once and its undo offered again."""
    memory = changes.delete(find_deletable(request, pk), by_hand(request))
    if request.htmx:
        return announce(render(request, "memories/_memory_deleted.html", {"memory": memory}), memory)
    undo = reverse("memories:memory_restore", args=[memory.pk])
    messages.success(request, _("It is deleted."), extra_tags=f"undo:{undo}")
    return redirect("memories:memory_list")


@require_POST
def memory_restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """Undo a deletion, for as long as the row is there."""
    memory = find_deletable(request, pk)
    return answer(request, changes.restore(memory, by_hand(request)), _("It is back."))


def find_deletable(request: SignedInRequest, pk: int) -> Memory:
    """Deleted ones too, for as long as their rows are there."""
    return get_object_or_404(Memory.objects.editable_by(request.user).select_related(*RELATED), pk=pk)


def keep_typed(request: SignedInRequest, before: Memory, after: Memory) -> MemoryForm | None:
    """What was typed into the form beside the button and not saved yet; None where nothing was.

    It stays an edit of the version that the person saw: this change of their own makes it no staler.
    """
    data = request.POST.copy()
    if "content" not in data or not MemoryForm(data, instance=before).differs:
        return None
    if data.get("version") == str(before.version):
        data["version"] = str(after.version)
    return MemoryForm(data, instance=after)
