"""What the templates of what waits for approval ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from memories.approval.wording import explain_problem, foretell, name_change, say_done
from memories.models import Agent, PendingWrite

register = template.Library()
register.filter("foretold", foretell)
register.filter("problem_words", explain_problem)
register.filter("file_change", name_change)
register.filter("done_words", say_done)


@register.inclusion_tag("memories/_pending_link.html", takes_context=True)
def pending_link(context: template.Context, agent: Agent | None = None) -> dict[str, Any]:
    """To the page of what waits, of one agent or all, with how much it is; nothing where that is nothing."""
    rows = PendingWrite.objects.for_user(context["request"].user).waiting()
    return {"count": (rows if agent is None else rows.filter(agent=agent)).count(), "agent": agent}


@register.simple_tag(takes_context=True)
def waiting_by_agent(context: template.Context) -> dict[int, int]:
    """How much waits for the reader, by the agent's id."""
    return PendingWrite.objects.for_user(context["request"].user).waiting().count_by_agent()


@register.filter
def of_agent(counts: Mapping[int, int], agent: Agent) -> int:
    return counts.get(agent.pk, 0)
