"""What the templates of bulk changes ask for."""

from __future__ import annotations

from typing import Any

from django import template

from memories.bulk import wording
from memories.models import BulkChange, Memory, MemoryType

register = template.Library()
PASSED_ON = ("request", "user", "csrf_token", "wanted", "page")


@register.inclusion_tag("memories/_bulk_bar.html", takes_context=True)
def bulk_bar(context: template.Context) -> dict[str, Any]:
    """What can be done to the memories that are ticked; stands behind their table."""
    passed = {name: context.get(name) for name in PASSED_ON}
    return passed | {"types": MemoryType.objects.usable(), "categories": Memory.Category.choices}


@register.inclusion_tag("memories/_bulk_changes.html", takes_context=True)
def bulk_changes(context: template.Context) -> dict[str, Any]:
    """The person's changes that are not over."""
    passed = {name: context.get(name) for name in PASSED_ON}
    user = context["request"].user
    return passed | {"changes": BulkChange.objects.filter(user=user).unfinished().select_related("undoes")}


@register.filter
def change_name(change: BulkChange) -> str:
    return wording.name_change(change)


@register.filter
def change_result(change: BulkChange) -> str:
    return wording.tell_result(change)


@register.filter
def change_all(change: BulkChange) -> str:
    return wording.tell_all(change)


@register.filter
def change_progress(change: BulkChange) -> str:
    return wording.tell_progress(change)


@register.filter
def change_skipped(change: BulkChange) -> list[wording.Skipped]:
    return wording.tell_skipped(change)


@register.filter
def change_error(change: BulkChange) -> str:
    return wording.tell_error(change)


@register.filter
def change_selection(change: BulkChange) -> str:
    return wording.tell_selection(change)
