"""What the templates of chat ask for."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from chat.markdown import render_markdown
from chat.models import Message
from chat.parts import Part, split_parts
from chat.wording import explain_code

register = template.Library()


@register.filter
def parts(answer: Message) -> list[Part]:
    """Its text and tool calls in the order in which they are read."""
    return list(split_parts(answer.content, answer.tool_calls.all()))


@register.filter
def markdown(text: str) -> SafeString:
    return render_markdown(text)


@register.filter
def explained(code: str) -> str:
    """The sentence for an answer's `error_code`."""
    return explain_code(code)
