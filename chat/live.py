"""An answer while it is written, as pieces of HTML that keep a page up to date; chat/stream.py says in what form."""

from __future__ import annotations

from collections.abc import Iterable

from django.template.loader import render_to_string
from django.utils.html import escape

from chat.citing import Known, find_known
from chat.events import (
    DocumentsConsulted,
    FilesAwaited,
    MemoriesRecalled,
    Streamed,
    ToolCalled,
    ToolReturned,
    TurnStarted,
)
from chat.markdown import LONGEST_BLOCK, LONGEST_MARKDOWN, closed_length
from chat.models import Message, ToolCall
from chat.parts import CallPart, Part, TextPart
from xiajiao.llm.base import ReasoningDelta, TextDelta

# How much is looked at in one go for blocks that are closed.
WINDOW = LONGEST_MARKDOWN + LONGEST_BLOCK


class LiveAnswer:
    """Takes events in; `render` gives what a page lacks since it was last called."""

    def __init__(self, answer_id: int) -> None:
        self.answer_id = answer_id
        self.content = ""
        self.reasoning = ""
        self.parts: list[Part] = []
        self.calls: dict[int, ToolCall] = {}
        self.closed = 0
        self.stage = "waiting"
        self.awaited = 0
        self.recalled: MemoriesRecalled | None = None
        # What the prompt and tools named, and may be cited.
        self.known = Known(answer_id=answer_id)
        self.returned: set[int] = set()
        self.shown_parts = self.shown_reasoning = self.shown_closed = 0
        self.shown_content = -1
        self.shown_stage = ""

    def restore(self, answer: Message, calls: Iterable[ToolCall]) -> None:
        """From the rows alone, where the stream is lost."""
        self.content, self.reasoning, self.stage = "", answer.reasoning, "writing"
        self.parts, self.closed = [], 0
        for call in calls:
            self.content = answer.content[: call.offset]
            self.add_call(call)
        self.content = answer.content

    def apply(self, event: Streamed) -> None:
        match event:
            case TurnStarted() | FilesAwaited():
                self.begin(event)
            case MemoriesRecalled():
                self.stage, self.recalled = "thinking", event
                self.know(memories=event.known)
            case DocumentsConsulted():
                self.know(sources=event.known)
            case TextDelta(text):
                self.content, self.stage = self.content + text, "writing"
            case ReasoningDelta(text):
                self.reasoning += text
            case ToolCalled():
                self.add_call(
                    ToolCall(
                        pk=event.id,
                        name=event.name,
                        arguments=event.arguments,
                        after_documents=event.after_documents,
                    )
                )
            case ToolReturned():
                self.finish_call(event)

    def begin(self, event: TurnStarted | FilesAwaited) -> None:
        if isinstance(event, FilesAwaited):
            self.stage, self.awaited = "reading", event.count
        else:
            self.stage = "started"

    def add_call(self, call: ToolCall) -> None:
        """The text before a call is closed by it."""
        self.close(len(self.content))
        self.stage = "calling"
        self.calls[call.pk] = call
        self.know(memories=find_known((), [call]))
        self.parts.append(CallPart(call))

    def finish_call(self, event: ToolReturned) -> None:
        call = self.calls.get(event.id)
        if call is not None:
            call.result = event.result
            call.status = ToolCall.Status.ERROR if event.is_error else ToolCall.Status.DONE
            self.stage = "thinking"
            self.know(find_known((), [call]), event.sources)
            self.returned.add(event.id)

    def close(self, end: int) -> None:
        if end > self.closed:
            self.parts.append(self.part(end))
            self.closed = end

    def part(self, end: int | None = None) -> TextPart:
        return TextPart(self.content[self.closed : end], self.closed, self.known)

    def know(self, memories: Iterable[int] = (), sources: Iterable[int] = ()) -> None:
        self.known |= Known(frozenset(memories), frozenset(sources))

    def close_blocks(self) -> None:
        while True:
            length = closed_length(self.content[self.closed : self.closed + WINDOW])
            if not length:
                return
            self.close(self.closed + length)

    @property
    def unshown(self) -> int:
        """Characters that the next `render` has to work through."""
        return len(self.content) - self.shown_closed

    def mark_shown(self) -> None:
        """The page has all this already."""
        self.close_blocks()
        self.shown_parts, self.shown_closed, self.shown_content = len(self.parts), self.closed, len(self.content)
        self.shown_reasoning, self.shown_stage = len(self.reasoning), self.stage
        self.returned.clear()

    def render(self, is_snapshot: bool = False) -> str:
        """`<hx-partial>`s, in the active language; nothing where nothing has changed.

        A snapshot replaces whatever a page shows by all that there is.
        """
        self.close_blocks()
        partials = [self.render_stage(), self.render_reasoning(is_snapshot)]
        partials += self.render_blocks(is_snapshot)
        if is_snapshot or len(self.content) != self.shown_content or len(self.parts) != self.shown_parts:
            rest = self.part()
            partials.append(self.partial("open", "innerHTML", rest.html if rest.text else ""))
        self.mark_shown()
        return "".join(partials)

    def render_blocks(self, is_snapshot: bool) -> list[str]:
        first = 0 if is_snapshot else self.shown_parts
        new = self.parts[first:]
        fresh = {part.call.pk for part in new if isinstance(part, CallPart)}
        late = [self.calls[pk] for pk in sorted(self.returned - fresh)]
        partials = [
            f'<hx-partial hx-target="#tool-call-{call.pk}" hx-swap="outerHTML">{render_call(call)}</hx-partial>'
            for call in late
        ]
        if new or is_snapshot:
            html = "".join(render_part(part) for part in new)
            partials.append(self.partial("blocks", "innerHTML" if is_snapshot else "beforeend", html))
        return partials

    def render_stage(self) -> str:
        if self.stage == self.shown_stage:
            return ""
        context = {"stage": self.stage, "recalled": self.recalled, "awaited": self.awaited}
        return self.partial("stage", "innerHTML", render_to_string("chat/_turn_stage.html", context))

    def render_reasoning(self, is_snapshot: bool) -> str:
        text = self.reasoning if is_snapshot else self.reasoning[self.shown_reasoning :]
        if not text:
            return ""
        return self.partial("reasoning", "innerHTML" if is_snapshot else "beforeend", escape(text))

    def partial(self, place: str, swap: str, html: str) -> str:
        return f'<hx-partial hx-target="#message-{self.answer_id}-{place}" hx-swap="{swap}">{html}</hx-partial>'


def render_part(part: Part) -> str:
    return render_call(part.call) if isinstance(part, CallPart) else part.html


def render_call(call: ToolCall) -> str:
    return render_to_string("chat/_tool_call.html", {"call": call})
