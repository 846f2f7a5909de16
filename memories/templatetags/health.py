"""What the templates of health ask for."""

from __future__ import annotations

from django import template

from memories.health.jobs import Scope
from memories.health.overview import count_findings
from memories.health.wording import explain_figures, explain_finding, words_of_choice
from memories.models import Finding
from memories.scrubbing import show_without_secrets

register = template.Library()
register.filter("why_doubtful", explain_finding)
register.filter("figures", explain_figures)


@register.inclusion_tag("memories/_health_link.html", takes_context=True)
def health_link(context: template.Context) -> dict[str, int]:
    """To the page of health, with how much of the reader's own there is to settle."""
    return {"count": sum(count_findings(Scope(context["request"].user)).values())}


@register.filter
def shown(finding: Finding) -> str:
    """What it says; a secret is never shown."""
    return show_without_secrets(finding.memory) if finding.kind == Finding.Kind.SECRET else finding.memory.content


@register.filter
def choice(decision: str, kind: str) -> tuple[str, str]:
    """Icon and label of a decision's button."""
    return words_of_choice(kind, decision)
