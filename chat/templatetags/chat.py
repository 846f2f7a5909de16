"""What the templates of chat ask for."""

from __future__ import annotations

import json
import re

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from chat.asking import Questions
from chat.citing import Known, find_known
from chat.models import Conversation, Message, Recalled, Source
from chat.modes import ModeChoice
from chat.parts import Part, split_parts
from chat.wording import (
    explain_code,
    explain_degraded,
    explain_given,
    explain_recall,
    name_action,
    name_losses,
    name_tool,
)
from memories.models import MemoryMode
from memories.models.types import Category
from xiajiao.llm.errors import MENDED_IN_SETTINGS
from xiajiao.texts import read_json

register = template.Library()
register.filter("explained", explain_code)
register.filter("degraded", explain_degraded)
register.filter("how_given", explain_given)
register.filter("action_word", name_action)
register.filter("tool_word", name_tool)

LONG_MESSAGE = 2_000, 24  # characters, lines


@register.filter
def parts(answer: Message) -> list[Part]:
    """Its text and tool calls in the order in which they are read."""
    content = "" if answer.removed_at else answer.content
    calls = answer.tool_calls.all()
    memories = find_known((row.memory_id for row in answer.recalled.all() if not row.was_cut), calls)
    sources = frozenset(row.number for row in answer.sources.all() if not row.was_cut)
    return list(split_parts(content, calls, Known(memories, sources, answer.pk)))


@register.filter
def used_sources(answer: Message) -> list[Source]:
    """What documents said to it."""
    return [row for row in answer.sources.all() if not row.was_cut]


@register.filter
def marked(source: Source) -> SafeString:
    """Its text with the chunk that was found marked in it."""
    text, start, end = source.content, source.start, source.end
    if start == end:
        return format_html("{}", text)
    return format_html("{}<mark>{}</mark>{}", text[:start], text[start:end], text[end:])


@register.filter
def address(message: Message) -> str:
    """Where the conversation opens at this message."""
    page = reverse("chat:conversation_detail", args=[message.conversation_id])
    return f"{page}?message={message.pk}#message-{message.pk}"


@register.filter
def losses_title(questions: Questions) -> str:
    """What the memories of a panel have in common, and how many they are."""
    return name_losses(questions.cause, questions.count)


@register.filter
def is_long(text: str) -> bool:
    """Whether a person's message is shown folded at first."""
    return len(text) > LONG_MESSAGE[0] or text.count("\n") >= LONG_MESSAGE[1]


@register.filter
def mode_choice(conversation: Conversation) -> ModeChoice:
    """The words and the icon of what it knows and keeps."""
    return ModeChoice(MemoryMode(conversation.mode))


@register.filter
def is_mended_in_settings(code: str) -> bool:
    """Whether Settings → Models is the way out of an answer's `error_code`."""
    return code in MENDED_IN_SETTINGS


@register.filter
def used_count(answer: Message) -> int:
    """How many memories went into its prompt."""
    return sum(not row.was_cut for row in answer.recalled.all())


@register.filter
def category_word(category: str) -> str:
    return str(Category(category).label)


@register.filter
def why_recalled(row: Recalled) -> str:
    """Its reason and scores, in words."""
    return explain_recall(row.reason, row.score_parts)


@register.filter
def pretty_json(text: str) -> str:
    """Laid out over lines where it is JSON, else as it is."""
    try:
        return json.dumps(read_json(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text


@register.filter
def highlighted(text: str, query: str) -> SafeString:
    """The words of a query marked in a text, which is escaped."""
    words = [re.escape(word) for word in query.split()]
    pieces = re.split(f"({'|'.join(words)})", text, flags=re.IGNORECASE) if words else [text]
    marked = [("<mark>", piece, "</mark>") if place % 2 else ("", piece, "") for place, piece in enumerate(pieces)]
    return format_html_join(
        "", "{}{}{}", [(SafeString(before), piece, SafeString(after)) for before, piece, after in marked]
    )
