"""Take one change back, or put a memory back as it was: told beforehand, done on a second click."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memories import changes
from memories.drafts import Origin
from memories.models import Memory, MemoryRevision
from memories.undoing import Plan, plan_rewind, plan_undo
from memories.views.memory_changes import keep_typed
from memories.views.memory_detail import announce, answer, by_hand, find_editable, into_dialog
from xiajiao.requests import SignedInRequest, read_number

Deed = Callable[[MemoryRevision, Origin, int | None], Memory]


@require_http_methods(["GET", "HEAD", "POST"])
def memory_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take one change back; `pk` is the revision's."""
    revision = find_revision(request, pk)
    if request.method != "POST":
        return preview(request, "memory_undo", plan_undo(revision))
    try:
        return carry_out(request, revision, changes.undo, _("It is taken back."))
    except changes.StaleError:
        return preview(request, "memory_undo", plan_undo(find_revision(request, pk)), 409)


@require_http_methods(["GET", "HEAD", "POST"])
def memory_rewind(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put the memory back as it was after one change; `pk` is the revision's."""
    revision = find_revision(request, pk)
    if request.method != "POST":
        return preview(request, "memory_rewind", plan_rewind(revision))
    try:
        return carry_out(request, revision, changes.rewind, _("It is as it was then."))
    except changes.StaleError:
        return preview(request, "memory_rewind", plan_rewind(find_revision(request, pk)), 409)


def find_revision(request: SignedInRequest, pk: int) -> MemoryRevision:
    revision = get_object_or_404(MemoryRevision.objects.select_related("user"), pk=pk)
    revision.memory = find_editable(request, revision.memory_id)
    return revision


def carry_out(request: SignedInRequest, revision: MemoryRevision, deed: Deed, said: str) -> HttpResponse:
    """`previewed`: the version of which the person was told what would become of it; raises StaleError by it."""
    memory = revision.memory
    after = deed(revision, by_hand(request), read_number(request.POST, "previewed"))
    if after.deleted_at is None:
        return answer(request, after, said, keep_typed(request, memory, after))
    if not request.htmx:
        messages.success(request, said)
        return redirect("memories:memory_list")
    return announce(render(request, "memories/_memory_undone.html", {"memory": after, "said": said}), after)


def preview(request: SignedInRequest, name: str, plan: Plan, status: int = 200) -> HttpResponse:
    """`status` 409: the memory changed since it was told what would be done; it is told anew."""
    template = f"memories/_{name}.html" if request.htmx else f"memories/{name}.html"
    context = {"plan": plan, "memory": plan.revision.memory, "is_stale": status == 409}
    response = render(request, template, context, status=status)
    return into_dialog(response) if status == 409 else response
