"""Which bases agents look into, for lists of agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from knowledge.models import KnowledgeBase

register = template.Library()


@register.simple_tag(takes_context=True)
def searched_bases(context: template.Context) -> Sequence[KnowledgeBase]:
    """All that this person's turns may search, for `looked_into`."""
    user = context["request"].user
    return list(KnowledgeBase.objects.kept().searched_by(user).prefetch_related("agents"))


@register.filter
def looked_into(bases: Sequence[KnowledgeBase], agent: Any) -> list[KnowledgeBase]:
    """Those of them that an agent looks into."""
    return [base for base in bases if base.serves_all_agents or agent in base.agents.all()]


@register.filter
def agents_shown_to(base: KnowledgeBase, user: Any) -> list[Any]:
    """Those that it names: another person's own agents are nobody's business."""
    return [
        agent
        for agent in base.agents.all()
        if agent.archived_at is None and (user.is_staff or agent.is_shared or agent.owner_id == user.pk)
    ]
