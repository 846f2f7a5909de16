"""Look through memories, and write one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from memories import gate
from memories.browsing import STATES, MemoryFilter, Place, as_rows, browse, count_by_agent, find_agents
from memories.forms.memories import NewMemoryForm
from memories.models import Agent, Memory
from memories.views.memory_detail import by_hand
from memories.wording import explain_decision
from xiajiao.models import User
from xiajiao.requests import SignedInRequest, read_number
from xiajiao.texts import clean


@require_GET
def memory_list(request: SignedInRequest) -> HttpResponse:
    wanted = read_filter(request.GET, request.user)
    context = {"wanted": wanted, "page": browse(request.user, wanted)}
    if request.htmx and wanted.older_than:
        return render(request, "memories/_memory_page.html", context)
    counts = count_by_agent(request.user, wanted)
    context |= {
        "counts": counts,
        "total": sum(row["total"] for row in counts),
        "agents": find_agents(request.user, wanted),
        "categories": Memory.Category.choices,
        "people": User.objects.exclude(pk=request.user.pk).order_by("username") if request.user.is_staff else [],
        "can_write": Agent.objects.for_user(request.user).unarchived().exists(),
    }
    return render(request, "memories/memory_list.html", context)


@require_GET
def memory_row(request: SignedInRequest, pk: int) -> HttpResponse:
    """One row of the list as it stands now; of a deleted one, the way to bring it back."""
    rows = Memory.objects.all() if request.user.is_staff else Memory.objects.for_user(request.user)
    memory = get_object_or_404(rows.select_related("agent", "type", "user"), pk=pk)
    return render(request, "memories/_memory_row.html", {"row": as_rows([memory])[0], "memory": memory})


def memory_create(request: SignedInRequest) -> HttpResponse:
    """Through the gate, like everything that is remembered; what it decided is told."""
    form = NewMemoryForm(request.POST or None, user=request.user, initial={"agent": request.GET.get("agent")})
    if request.method == "POST" and form.is_valid():
        values = form.columns
        draft = gate.Draft(type_key=values.pop("type").key, **values)
        decision = gate.write(form.cleaned_data["agent"], request.user.pk, draft, by_hand(request))
        messages.success(request, explain_decision(decision))
        return redirect("memories:memory_list")
    return render(request, "memories/memory_create.html", {"form": form}, status=422 if form.errors else 200)


def read_filter(values: QueryDict, user: User) -> MemoryFilter:
    state, category, person = values.get("state", ""), values.get("category", ""), values.get("person", "")
    return MemoryFilter(
        agent_id=read_number(values, "agent"),
        everybody=user.is_staff and person == "all",
        person_id=read_number(values, "person") if user.is_staff else None,
        category=category if category in Memory.Category.values else "",
        state=state if state in STATES else "active",
        query=clean(values.get("q", ""))[:200],
        older_than=Place.read(values.get("older_than", "")),
    )
