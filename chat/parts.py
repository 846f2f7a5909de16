"""An answer in the order in which it is read: pieces of text, and between them the tool calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString

from chat.citing import NOTHING, Known
from chat.markdown import LONGEST_MARKDOWN, render_markdown, render_plain
from chat.models import ToolCall


@dataclass(frozen=True)
class TextPart:
    """`start` is where it stands in the answer, of which only so much is read as markdown."""

    text: str
    start: int = 0
    known: Known = NOTHING

    @property
    def html(self) -> SafeString:
        return render_markdown(self.text, self.known) if self.start < LONGEST_MARKDOWN else render_plain(self.text)


@dataclass(frozen=True)
class CallPart:
    call: ToolCall


Part = TextPart | CallPart


def split_parts(content: str, calls: Iterable[ToolCall], known: Known) -> Iterator[Part]:
    """`calls` in the order in which they were made."""
    start = 0
    for call in calls:
        if call.offset > start:
            yield TextPart(content[start : call.offset], start, known)
            start = call.offset
        yield CallPart(call)
    if content[start:]:
        yield TextPart(content[start:], start, known)
