"""Write a memory, and edit one with all its fields: in a dialog, or on a page where there are no scripts."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memories import changes, gate
from memories.forms.comparing import Merge
from memories.forms.memories import MemoryForm, NewMemoryForm
from memories.history import find_last_change, rewind_to
from memories.models import Memory
from memories.outcomes import find_ways_back
from memories.views.memory_detail import RELATED, announce, answer, by_hand, find_editable, into_dialog, show
from memories.wording import explain_decision
from xiajiao.requests import SignedInRequest, read_number


def memory_create(request: SignedInRequest) -> HttpResponse:
    """Through the gate, like everything that is remembered; what it decided is told."""
    form = NewMemoryForm(request.POST or None, user=request.user, initial={"agent": request.GET.get("agent")})
    if request.method != "POST" or not form.is_valid():
        return show_form(request, "memory_create", 422 if form.errors else 200, form=form)
    values = form.columns
    values["type_key"] = values.pop("type").key
    person = form.cleaned_data["audience"]
    about = None if person is None else person.pk
    decision = gate.write(form.cleaned_data["agent"], about, gate.Draft(**values), by_hand(request))
    ways_back = find_ways_back(decision)
    if request.htmx:
        context = {"decision": decision, "ways_back": ways_back}
        return announce(render(request, "memories/_memory_outcome.html", context), decision.memory, "memory-added")
    undo = [f"undo:{reverse('memories:memory_undo', args=[way.revision.pk])}" for way in ways_back]
    messages.success(request, explain_decision(decision), extra_tags=undo[0] if undo else "")
    return redirect("memories:memory_list")


@require_http_methods(["GET", "HEAD", "POST"])
def memory_update(request: SignedInRequest, pk: int) -> HttpResponse:
    """An edit of a version that is no longer the newest is refused with both shown; nothing typed is lost."""
    if request.method != "POST":
        shown = find_editable(request, pk)
        return show_edit(request, shown, form=MemoryForm(instance=shown, initial={"version": shown.version}))
    memory = find_written(request, pk)
    if memory is None:
        return rescue(request)
    form = MemoryForm(request.POST, instance=copy(memory))
    if "take" in request.POST or (memory.deleted_at and "bring_back" not in request.POST):
        return refuse(request, memory, form)
    if not form.is_valid():
        return show_edit(request, memory, 422, form=form)
    try:
        after = save(request, memory, form)
    except changes.StaleError as error:
        return refuse(request, error.current, form)
    return tell_saved(request, after)


def find_written(request: SignedInRequest, pk: int) -> Memory | None:
    """Deleted ones too, as long as they can come back: what is typed for them is not lost."""
    return Memory.objects.editable_by(request.user).select_related(*RELATED).filter(pk=pk).first()


def rescue(request: SignedInRequest) -> HttpResponse:
    """There is no such memory (any more): what was typed for it is offered as a new one."""
    if not request.POST.get("content", "").strip():
        raise Http404
    form = NewMemoryForm(user=request.user, initial=request.POST.dict())
    return into_dialog(show_form(request, "memory_create", 410, form=form, is_rescue=True))


def save(request: SignedInRequest, memory: Memory, form: MemoryForm) -> Memory:
    """Raises StaleError."""
    version = form.cleaned_data["version"]
    if memory.deleted_at:
        version = changes.restore(memory, by_hand(request)).version
    return changes.edit(memory, form.columns, by_hand(request), version)


def refuse(request: SignedInRequest, current: Memory, form: MemoryForm) -> HttpResponse:
    """Both versions side by side, with what is typed in the form; or that it was deleted, and the way back."""
    seen = read_number(request.POST, "version") or 0
    # Choosing between the two is no new refusal, unless there is a third version by now.
    is_choice = "take" in request.POST and seen == current.version
    base = (read_number(request.POST, "base") or 0) if is_choice else seen
    with timezone.override(form.zone):
        merge = Merge(form, current, rewind_to(current, base))
        if is_choice:
            side, _colon, name = request.POST["take"].partition(":")
            merge.take(name, side)
        else:
            merge.settle()
        differences = list(merge.compare())
    again = MemoryForm(merge.posted, instance=copy(current))
    yours = merge.posted.get("yours", "{}")
    context = {"typed": yours, "base": base, "differences": differences, "is_choice": is_choice}
    return show_edit(request, current, 409, form=again, is_refused=True, last=find_last_change(current), **context)


def show_edit(request: SignedInRequest, memory: Memory, status: int = 200, **context: Any) -> HttpResponse:
    """Where it was edited: all fields in the dialog or on a page, the text alone in the drawer."""
    is_whole = request.method != "POST" or "whole" in request.POST
    if not is_whole and memory.deleted_at is None:
        return show(request, memory, status, **context)
    response = show_form(request, "memory_update", status, memory=memory, **context)
    return response if is_whole else into_dialog(response)


def show_form(request: SignedInRequest, name: str, status: int, **context: Any) -> HttpResponse:
    template = f"memories/_{name}.html" if request.htmx else f"memories/{name}.html"
    return render(request, template, context, status=status)


def tell_saved(request: SignedInRequest, memory: Memory) -> HttpResponse:
    """The dialog closes where nothing comes; the drawer beside it and the list ask again."""
    if not request.htmx or "whole" not in request.POST:
        return answer(request, memory, _("Saved."))
    return announce(render(request, "memories/_memory_saved.html"), memory, f"memory-{memory.pk}-edited")
