"""Turn the chunks of a streamed reply into the events of a step."""

from collections.abc import Iterator
from typing import Any, TypeGuard

from xiajiao.llm.base import ModelError, ModelEvent, ReasoningDelta, StepFinished, TextDelta, Usage
from xiajiao.llm.calls import CallAssembly
from xiajiao.llm.failures import error_in_stream
from xiajiao.llm.textstream import TextStream
from xiajiao.llm.thinking import ThinkSplitter

# In characters of text, thoughts and arguments together; a novel has half a million.
LONGEST_REPLY = 1_000_000
MOST_CALLS = 100
# In one step; a server that counts more, or less than none, has not counted.
MOST_TOKENS = 20_000_000


class ReplyAssembly:
    """Takes chunks, yields deltas; knows at the end what was asked for and why it ended."""

    def __init__(self) -> None:
        self.calls = CallAssembly()
        self.usage: Usage | None = None
        self.finish_reason = ""
        self.size = 0
        self.has_text = False
        self.texts, self.thoughts, self.splitter = TextStream(), TextStream(), ThinkSplitter()

    def add(self, chunk: dict[str, Any]) -> Iterator[ModelEvent]:
        """Raises ModelError at an error that the server sends inside the stream, and past the limits."""
        if chunk.get("error"):
            raise error_in_stream(chunk["error"])
        self.usage = read_usage(chunk.get("usage")) or self.usage
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self.add_delta(delta)
        if isinstance(choice.get("finish_reason"), str):
            self.finish_reason = choice["finish_reason"]

    def add_delta(self, delta: dict[str, Any]) -> Iterator[ModelEvent]:
        thought = self.thoughts.clean(read_text(delta.get("reasoning_content") or delta.get("reasoning")))
        if thought:
            yield ReasoningDelta(self.fit(thought))
        text = self.texts.clean(read_text(delta.get("content")) + read_text(delta.get("refusal")))
        for event in self.splitter.split(self.fit(text)):
            self.has_text = self.has_text or isinstance(event, TextDelta)
            yield event
        fragments = delta.get("tool_calls")
        for fragment in fragments if isinstance(fragments, list) else []:
            if isinstance(fragment, dict):
                self.size += self.calls.add(fragment)
        if self.size > LONGEST_REPLY or len(self.calls.drafts) > MOST_CALLS:
            raise ModelError("too_long_reply")

    def fit(self, text: str) -> str:
        """What of the text is still within the limit; its length counts whole."""
        room = max(0, LONGEST_REPLY - self.size)
        self.size += len(text)
        return text[:room]

    def finish(self) -> Iterator[ModelEvent]:
        """The last events. Raises ModelError where the model refused or said nothing."""
        for event in self.splitter.flush():
            self.has_text = self.has_text or isinstance(event, TextDelta)
            yield event
        calls = self.calls.finish()
        if self.finish_reason == "content_filter":
            raise ModelError("refused")
        if not calls and not self.has_text:
            raise ModelError("empty")
        yield StepFinished(calls, self.usage, self.finish_reason or "stop")


def read_text(content: Any) -> str:
    """Text as a string or, as some servers send it, as a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def read_usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    asked, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Usage(asked, answered) if is_count(asked) and is_count(answered) else None


def is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS
