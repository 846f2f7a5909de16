"""What the templates of what waits for approval ask for."""

from __future__ import annotations

from django import template

from memories.approval.wording import explain_problem, foretell, name_change, say_done
from memories.models import PendingWrite

register = template.Library()


@register.inclusion_tag("memories/_pending_link.html", takes_context=True)
def pending_link(context: template.Context) -> dict[str, int]:
    """To the page of what waits, with how much it is; nothing where that is nothing."""
    return {"count": PendingWrite.objects.for_user(context["request"].user).waiting().count()}


@register.filter
def foretold(action: str) -> str:
    return foretell(action)


@register.filter
def problem_words(code: str) -> str:
    return explain_problem(code)


@register.filter
def file_change(pending: PendingWrite) -> str:
    return name_change(pending)


@register.filter
def done_words(pending: PendingWrite) -> str:
    return say_done(pending)
