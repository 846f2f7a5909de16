"""What an agent believed at a moment in the past."""

from __future__ import annotations

from datetime import date, timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memories.as_of import Past
from memories.forms.as_of import AsOfForm
from memories.models.types import Category
from xiajiao.requests import SignedInRequest, read_number
from xiajiao.texts import clean


@require_GET
def memory_as_of(request: SignedInRequest) -> HttpResponse:
    """Without a date it asks for one."""
    asked = "date" in request.GET
    form = AsOfForm(request.GET if asked else None, user=request.user, initial={"agent": request.GET.get("agent")})
    context = {"form": form, "days": list_past(timezone.localdate())}
    if not asked or not form.is_valid():
        return render(request, "memories/memory_as_of.html", context, status=422 if asked else 200)
    category, words = request.GET.get("category", ""), clean(request.GET.get("q", ""))[:200]
    category = category if category in Category.values else ""
    past = Past(form.cleaned_data["agent"], form.about, form.moment)
    page = past.look(read_number(request.GET, "page") or 1, category, words)
    context |= {"seen": past, "page": page, "category": category, "words": words}
    return render(request, "memories/memory_as_of.html", context)


def list_past(today: date) -> dict[str, date]:
    """Days that people ask for, by name."""
    return {"week": today - timedelta(days=7), "month": today - timedelta(days=30), "year": today - timedelta(days=365)}
