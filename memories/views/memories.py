"""Look through memories."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from memories.browsing import as_rows, browse
from memories.cards import make_cards
from memories.choices import ORDERS, STATES, list_chips, list_people
from memories.filtering import MemoryFilter, read_filter
from memories.models import Agent, Memory, MemoryType
from memories.paging import read_paging
from xiajiao.models import User
from xiajiao.requests import SignedInRequest


@require_GET
def memory_list(request: SignedInRequest) -> HttpResponse:
    wanted, paging = read_filter(request.GET, request.user), read_paging(request.GET)
    cards = make_cards(request.user, wanted)
    context = {
        "wanted": wanted,
        "paging": paging,
        "sort": str(paging.order),
        "page": browse(request.user, wanted, paging),
        "chips": list_chips(wanted),
        "orders": ORDERS,
        "cards": cards,
        "total": sum(card.total for card in cards),
        "categories": Memory.Category.choices,
        "can_write": Agent.objects.for_user(request.user).unarchived().exists(),
    }
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "memories/_memory_found.html", context)
    return render(request, "memories/memory_list.html", context | list_choices(request.user, wanted))


def list_choices(user: User, wanted: MemoryFilter) -> dict[str, Any]:
    """What the filters may be set to."""
    return {
        "states": STATES,
        "types": MemoryType.objects.all(),
        "sources": Memory.Source.choices,
        "people": list(list_people(user)),
        "has_more_filters": bool(set(wanted.chosen) - {"q", "agent", "category", "state"}),
    }


@require_GET
def memory_row(request: SignedInRequest, pk: int) -> HttpResponse:
    """One row of the list as it stands now; of a deleted one, the way to bring it back."""
    rows = Memory.objects.all() if request.user.is_staff else Memory.objects.for_user(request.user)
    memory = get_object_or_404(rows.select_related("agent", "type", "user"), pk=pk)
    return render(request, "memories/_memory_row.html", {"row": as_rows([memory])[0], "memory": memory})
