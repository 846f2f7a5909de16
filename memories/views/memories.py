"""Look through memories."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from memories.browsing import as_rows, browse
from memories.cards import make_cards
from memories.choices import STATES, list_chips, list_orders, list_people, suggest_tags
from memories.counting import count_found, find_hiding
from memories.filtering import MemoryFilter, read_filter
from memories.finding import list_found
from memories.models import Agent, Memory, MemoryType
from memories.paging import Paging, read_paging
from memories.stats import as_plain, count_memories
from xiajiao.models import User
from xiajiao.requests import SignedInRequest


@require_GET
def memory_list(request: SignedInRequest) -> HttpResponse:
    """An address with empty parameters, as a plain form makes it, is answered with the one that needs none of them."""
    wanted, paging = read_filter(request.GET, request.user), read_paging(request.GET)
    address = f"{request.path}?{wanted.as_query(sort=paging.sort)}".rstrip("?")
    if not request.htmx and "" in request.GET.values():
        return redirect(address)
    context = find_listed(request.user, wanted, paging)
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "memories/_memory_found.html", context)
        if request.htmx.source in {"form#memory-filters", "select#memory-sort"}:
            response["HX-Push-Url"] = address
        return response
    return render(request, "memories/memory_list.html", context | list_choices(request.user, wanted))


def find_listed(user: User, wanted: MemoryFilter, paging: Paging) -> dict[str, Any]:
    page, cards = browse(user, wanted, paging), make_cards(user, wanted)
    return {
        "wanted": wanted,
        "paging": paging,
        "page": page,
        "found": count_found(user, wanted, page, cards),
        "hiding": find_hiding(user, wanted) if wanted.is_narrow and not page.rows else [],
        "chips": list_chips(wanted),
        "orders": list_orders(wanted),
        "cards": cards,
        "total": sum(card.total for card in cards),
        "categories": Memory.Category.choices,
        "can_write": Agent.objects.for_user(user).unarchived().exists(),
    }


def list_choices(user: User, wanted: MemoryFilter) -> dict[str, Any]:
    """What the filters may be set to."""
    return {
        "states": STATES,
        "types": MemoryType.objects.all(),
        "sources": Memory.Source.choices,
        "people": list(list_people(user)),
        "known_tags": suggest_tags(user, wanted),
        "has_more_filters": bool(set(wanted.chosen) - {"q", "agent", "category", "state"}),
    }


@require_GET
def memory_stats(request: SignedInRequest) -> JsonResponse:
    """Of the filters that the list knows; see memories.stats.as_plain."""
    wanted = read_filter(request.GET, request.user)
    return JsonResponse(as_plain(count_memories(list_found(request.user, wanted))))


@require_GET
def memory_row(request: SignedInRequest, pk: int) -> HttpResponse:
    """One row of the list as it stands now; of a deleted one, the way to bring it back."""
    rows = Memory.objects.all() if request.user.is_staff else Memory.objects.for_user(request.user)
    memory = get_object_or_404(rows.select_related("agent", "type", "user"), pk=pk)
    return render(request, "memories/_memory_row.html", {"row": as_rows([memory])[0], "memory": memory})
