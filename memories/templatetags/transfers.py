"""What the templates of imports and exports ask for."""

from __future__ import annotations

from django import template

from memories.models import ImportLine
from memories.transfer.wording import TAGS, explain_error, explain_line, name_format, name_outcome

register = template.Library()
register.filter("outcome_name", name_outcome)
register.filter("format_name", name_format)
register.filter("error_text", explain_error)


@register.filter
def line_reason(line: ImportLine) -> str:
    return explain_line(line.reason, line.details)


@register.filter
def outcome_tag(outcome: str) -> str:
    """The end of its CSS class: `tag-good`."""
    return TAGS.get(outcome, "plain")
