"""What the templates of bulk changes ask for."""

from __future__ import annotations

from typing import Any

from django import template

from memories.bulk import wording
from memories.models import BulkChange, Memory, MemoryType

register = template.Library()
register.filter("change_name", wording.name_change)
register.filter("change_result", wording.tell_result)
register.filter("change_all", wording.tell_all)
register.filter("change_progress", wording.tell_progress)
register.filter("change_skipped", wording.tell_skipped)
register.filter("change_error", wording.tell_error)
register.filter("change_selection", wording.tell_selection)
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
