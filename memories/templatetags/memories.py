"""What the templates of memories ask for."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext

from memories.models import MemoryRevision
from memories.wording import explain_reason, name_action

register = template.Library()


@register.filter
def action_name(action: str) -> str:
    return name_action(action)


@register.filter
def reason(revision: MemoryRevision) -> str:
    return explain_reason(revision)


@register.filter
def why_found(parts: Mapping[str, float]) -> str:
    """The evidence of a search hit, in words."""
    words = []
    if "relevance" in parts:
        words.append(gettext("nearness in meaning %(share).2f") % {"share": parts["relevance"]})
    if parts.get("coverage"):
        words.append(gettext("words in common %(share).0f %%") % {"share": parts["coverage"] * 100})
    return " · ".join(words)
