"""What the templates of memories ask for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from memories.columns import format_metadata
from memories.models import Memory, MemoryRevision
from memories.outcomes import WayBack
from memories.paging import Order, Paging
from memories.redaction.marks import kinds_of_marks
from memories.redaction.wording import explain_left_out, explain_secrets, list_kinds
from memories.wording import (
    EXAMPLES,
    MEANINGS,
    explain_decision,
    explain_parts,
    explain_reason,
    explain_scores,
    group,
    name_action,
    name_actor,
    name_category,
    name_kind_of_actor,
    name_state,
    name_store,
    name_undoing,
    name_way_back,
)

register = template.Library()
register.filter("action_name", name_action)
register.filter("category_name", name_category)
register.filter("actor_name", name_kind_of_actor)
register.filter("undo_name", name_undoing)
register.filter("metadata_text", format_metadata)
register.filter("who_words", name_actor)
register.filter("decision_words", explain_decision)
register.filter("kind_words", list_kinds)
register.filter("store_name", name_store)
register.filter("grouped", group)
register.filter("why_found", explain_parts)


@register.filter
def state_name(memory: Memory | None) -> str:
    return name_state(memory) if memory else ""


@register.filter
def and_tag(query: str | None, tag: str) -> str:
    """A query as `querystring` makes it, with a tag: for each tag of each row, that would copy it as a whole."""
    begun = "?" if query in {None, "", "?"} else f"{query}&"
    return begun + urlencode({"tag": tag})


@register.filter
def way_words(way: WayBack) -> str:
    return name_way_back(way.action)


@register.filter
def reason(revision: MemoryRevision) -> str:
    return explain_reason(revision.reason)


@register.filter
def nearest(revision: MemoryRevision) -> int:
    """Key of the memory that was most like it; 0 for none."""
    return revision.points_to("nearest")


@register.filter
def secret_words(revision: MemoryRevision) -> str:
    return explain_secrets(revision.reason)


@register.filter
def scores(revision: MemoryRevision) -> str:
    return explain_scores(revision.reason)


@register.filter
def category_meaning(category: str) -> str:
    return str(MEANINGS[category])


@register.filter
def category_example(category: str) -> str:
    return str(EXAMPLES[category])


@register.filter
def of(counts: Mapping[str, int], category: str) -> int:
    return counts[category]


@register.filter
def brief_moment(moment: datetime) -> str:
    """The hour today, the day else."""
    local = timezone.localtime(moment)
    if local.date() == timezone.localdate():
        return date_format(local, "H:i")
    return date_format(local, "m-d" if local.year == timezone.localdate().year else "Y-m-d")


@register.inclusion_tag("memories/_memory_sort_head.html", takes_context=True)
def sort_head(context: template.Context, name: str, label: str) -> dict[str, Any]:
    """A column's head that sorts by it, and the other way round where it does already."""
    paging: Paging = context["paging"]
    is_current = paging.order.name == name and (paging.is_chosen or not context["wanted"].q)
    order = paging.order.reversed if is_current else Order(name, is_descending=name != "title")
    return {
        "name": name,
        "label": label,
        "sort": str(order),
        "direction": ("descending" if paging.order.is_descending else "ascending") if is_current else "",
        "request": context["request"],
    }


@register.filter
def left_out(text: str) -> str:
    """What the marks in a text say was left out; nothing where there are none."""
    return explain_left_out(kinds_of_marks(text))
