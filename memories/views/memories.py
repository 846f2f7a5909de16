"""Look through memories, write one, correct one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories import changes, gate
from memories.browsing import STATES, MemoryFilter, browse, count_by_agent, seen_by
from memories.forms.memories import MemoryForm, NewMemoryForm
from memories.models import Agent, Memory, MemoryRevision
from memories.wording import explain_decision
from xiajiao.models import User
from xiajiao.requests import SignedInRequest


@require_GET
def memory_list(request: SignedInRequest) -> HttpResponse:
    wanted = read_filter(request.GET, request.user)
    context = {"wanted": wanted, "page": browse(request.user, wanted), "query_string": query_string(request)}
    if request.htmx and wanted.older_than:
        return render(request, "memories/_memory_page.html", context)
    context |= {
        "counts": count_by_agent(request.user, wanted.person_id),
        "agents": Agent.objects.filter(pk__in=seen_by(request.user).order_by().values("agent_id")),
        "categories": Memory.Category.choices,
        "people": User.objects.order_by("username") if request.user.is_staff else [],
        "is_narrow": any([wanted.agent_id, wanted.category, wanted.query, wanted.state != "active", wanted.person_id]),
        "can_write": Agent.objects.for_user(request.user).unarchived().exists(),
    }
    return render(request, "memories/memory_list.html", context)


def memory_create(request: SignedInRequest) -> HttpResponse:
    """Through the gate, like everything that is remembered."""
    form = NewMemoryForm(request.POST or None, user=request.user, initial={"agent": request.GET.get("agent")})
    if request.method == "POST" and form.is_valid():
        values = form.columns
        memory_type = values.pop("type")
        draft = gate.Draft(type_key=memory_type.key, **values)
        decision = gate.write(form.cleaned_data["agent"], request.user.pk, draft, by_hand(request))
        messages.success(request, explain_decision(decision.action))
        return redirect("memories:memory_list")
    return render(request, "memories/memory_create.html", {"form": form}, status=422 if form.errors else 200)


@require_GET
def memory_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    return show(request, find_memory(request, pk))


@require_POST
def memory_update(request: SignedInRequest, pk: int) -> HttpResponse:
    """An edit of a version that is no longer the newest is refused with both shown; nothing typed is lost."""
    memory = find_memory(request, pk)
    form = MemoryForm(request.POST, instance=find_memory(request, pk))
    if not form.is_valid():
        return show(request, memory, 422, form=form)
    try:
        memory = changes.edit(memory, form.columns, by_hand(request), form.cleaned_data["version"])
    except changes.StaleError as error:
        data = request.POST.copy()
        data["version"] = str(error.current.version)
        return show(request, error.current, 409, form=MemoryForm(data, instance=memory), stale=error.current)
    return show(request, memory, said=_("Saved."))


@require_POST
def memory_switch(request: SignedInRequest, pk: int) -> HttpResponse:
    memory = find_memory(request, pk)
    memory = changes.set_enabled(memory, not memory.enabled, by_hand(request))
    return show(request, memory, said=_("It is known again.") if memory.enabled else _("It is no longer used."))


@require_POST
def memory_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    memory = changes.delete(find_memory(request, pk), by_hand(request))
    context = {"memory": memory, "restore_url": reverse("memories:memory_restore", args=[memory.pk])}
    return render(request, "memories/_memory_deleted.html", context)


@require_POST
def memory_restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """Undo a deletion, for as long as the row is there."""
    deleted = Memory.objects.all() if request.user.is_staff else Memory.objects.for_user(request.user)
    memory = get_object_or_404(deleted.select_related("agent", "type"), pk=pk)
    return show(request, changes.restore(memory, by_hand(request)), said=_("It is back."))


@require_POST
def memory_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take one change back; `pk` is the revision's."""
    revision = get_object_or_404(MemoryRevision.objects.select_related("memory"), pk=pk)
    find_memory(request, revision.memory_id)
    return show(request, changes.undo(revision, by_hand(request)), said=_("Taken back."))


def find_memory(request: SignedInRequest, pk: int) -> Memory:
    return get_object_or_404(seen_by(request.user).select_related("agent", "type", "superseded_by"), pk=pk)


def by_hand(request: SignedInRequest) -> gate.Origin:
    """The person who acts stands in the revision, be it their own memory or not."""
    return gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, user_id=request.user.pk)


def show(request: SignedInRequest, memory: Memory, status: int = 200, **context: Any) -> HttpResponse:
    """The drawer with one memory; a page of its own without htmx."""
    memory = Memory.objects.select_related("agent", "type", "superseded_by", "user").get(pk=memory.pk)
    form = context.pop("form", None) or MemoryForm(instance=memory, initial={"version": memory.version})
    context |= {"memory": memory, "form": form, "revisions": memory.revisions.select_related("user")}
    context["replaced"] = memory.supersedes.kept()
    template = "memories/_memory_detail.html" if request.htmx else "memories/memory_detail.html"
    return render(request, template, context, status=status)


def read_filter(values: QueryDict, user: User) -> MemoryFilter:
    state, category = values.get("state", ""), values.get("category", "")
    return MemoryFilter(
        agent_id=read_number(values, "agent"),
        person_id=read_number(values, "person") if user.is_staff else None,
        category=category if category in Memory.Category.values else "",
        state=state if state in STATES else "active",
        query=values.get("q", "")[:200],
        older_than=read_number(values, "older_than"),
    )


def read_number(values: QueryDict, name: str) -> int | None:
    value = values.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 19 else None


def query_string(request: SignedInRequest) -> str:
    """The filters alone, for the next page."""
    values = request.GET.copy()
    values.pop("older_than", None)
    return values.urlencode()
