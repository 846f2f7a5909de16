"""What the templates of jobs ask for."""

from __future__ import annotations

from django import template

from chat.extraction.outcomes import Outcome
from chat.extraction.wording import explain_outcome, explain_reason, name_outcome
from chat.models import ExtractionJob
from memories.redaction.wording import explain_left_out
from memories.wording import join_sentences

register = template.Library()

TAGS = {"waiting": "tag-accent", "done": "tag-good", "failed": "tag-bad"}
OUTCOME_TAGS = {"added": "tag-good", "superseded": "tag-good", "reinforced": "tag-good", "asked": "tag-warning"}


@register.filter
def state_class(state: str) -> str:
    return TAGS.get(state, "")


@register.filter
def outcome_class(code: str) -> str:
    return OUTCOME_TAGS.get(code, "")


@register.filter
def extraction_reason(job: ExtractionJob) -> str:
    """What was the matter; empty: nothing was."""
    return explain_reason(job.state, job.reason) if job.reason else ""


@register.filter
def outcome_name(code: str) -> str:
    return name_outcome(code)


@register.filter
def outcome_reason(outcome: Outcome) -> str:
    """Why it was passed over or changed; empty where its name says all."""
    return join_sentences(explain_outcome(outcome.code), explain_left_out(outcome.left_out))
