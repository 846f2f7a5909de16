"""Take one change back, or put a memory back as it was: told beforehand, done on a second click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from memories import changes
from memories.drafts import DraftError, Origin
from memories.models import Memory, MemoryRevision
from memories.redaction.wording import explain_left_out
from memories.undoing import Plan, plan_rewind, plan_undo
from memories.views.memory_changes import keep_typed
from memories.views.memory_detail import announce, answer, by_hand, find_editable, into_dialog
from memories.wording import join_sentences
from xiajiao.requests import SignedInRequest, read_number


@dataclass(frozen=True)
class Way:
    """A way back. `name`: of the view and its templates; `said` when it is done."""

    name: str
    plan: Callable[[MemoryRevision], Plan]
    deed: Callable[[MemoryRevision, Origin, int | None], Memory]
    said: Promise


UNDO = Way("memory_undo", plan_undo, changes.undo, _("It is taken back."))
REWIND = Way("memory_rewind", plan_rewind, changes.rewind, _("It is as it was then."))


@require_http_methods(["GET", "HEAD", "POST"])
def memory_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take one change back; `pk` is the revision's."""
    return go_back(request, pk, UNDO)


@require_http_methods(["GET", "HEAD", "POST"])
def memory_rewind(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put the memory back as it was after one change; `pk` is the revision's."""
    return go_back(request, pk, REWIND)


def go_back(request: SignedInRequest, pk: int, way: Way) -> HttpResponse:
    """`previewed`: the version of which the person was told what would become of it.

    `bring_secrets`: they insist on what would be left out.
    """
    revision = find_revision(request, pk)
    plan, insists = way.plan(revision), "bring_secrets" in request.POST
    if request.method != "POST":
        return preview(request, way, plan)
    if plan.must_insist and not insists:
        return preview(request, way, plan, 422)
    try:
        origin = replace(by_hand(request), keeps_secrets=insists)
        after = way.deed(revision, origin, read_number(request.POST, "previewed"))
    except changes.StaleError:
        return preview(request, way, way.plan(find_revision(request, pk)), 409)
    except DraftError:
        return preview(request, way, way.plan(find_revision(request, pk)), 422)
    said = str(way.said) if insists else join_sentences(str(way.said), explain_left_out(plan.secrets))
    response = tell(request, revision.memory, after, said)
    return announce(response, after, "memory-added") if plan.adds(after) else response


def find_revision(request: SignedInRequest, pk: int) -> MemoryRevision:
    revision = get_object_or_404(MemoryRevision.objects.select_related("user"), pk=pk)
    revision.memory = find_editable(request, revision.memory_id)
    return revision


def tell(request: SignedInRequest, before: Memory, after: Memory, said: str) -> HttpResponse:
    if after.deleted_at is None:
        return answer(request, after, said, keep_typed(request, before, after))
    if not request.htmx:
        messages.success(request, said)
        return redirect("memories:memory_list")
    return announce(render(request, "memories/_memory_undone.html", {"memory": after, "said": said}), after)


def preview(request: SignedInRequest, way: Way, plan: Plan, status: int = 200) -> HttpResponse:
    """`status` 409: the memory changed since it was told what would be done, and it is told anew.

    422: nothing would come back unless the person insists on its secrets.
    """
    template = f"memories/_{way.name}.html" if request.htmx else f"memories/{way.name}.html"
    context = {"plan": plan, "memory": plan.revision.memory, "is_stale": status == 409, "is_missing": status == 422}
    response = render(request, template, context, status=status)
    return into_dialog(response) if status >= 400 else response
