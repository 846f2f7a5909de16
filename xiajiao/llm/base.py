"""What crosses the door to a chat model: a request, and the events of one step."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from xiajiao.texts import clean


@dataclass(frozen=True)
class ModelSource:
    """Where a model is: a backend by dotted path, and what that backend needs to reach it.

    `problem` is the code of the ModelError that any use will raise, for what is known to be amiss beforehand.
    """

    backend: str
    provider_name: str
    model: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    problem: str = ""


@dataclass(frozen=True)
class ChatRequest:
    """`messages` and `tools` in the form of OpenAI's chat completions; they are sent as they are."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    response_format: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True)
class RequestedCall:
    """A tool call as the model asked for it; `arguments` is its raw text, hopefully JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class StepFinished:
    """The last event of a step that ended well."""

    calls: tuple[RequestedCall, ...] = ()
    usage: Usage | None = None
    finish_reason: str = "stop"


ModelEvent = TextDelta | ReasoningDelta | StepFinished


class ModelError(Exception):
    """A step that could not be finished; `code` is worded for the person by `xiajiao.llm.errors`.

    What was received before stays with the caller: the deltas were yielded as they came.
    `detail` is the provider's own sentence, with keys blotted out; `retry_after` is in seconds.
    """

    def __init__(self, code: str, detail: str = "", retry_after: float | None = None) -> None:
        detail = clean(detail)
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after


class ChatModel(Protocol):
    """A backend: made with a source, it streams one step."""

    def __init__(self, source: ModelSource) -> None: ...

    def stream(self, request: ChatRequest) -> Generator[ModelEvent, None, None]:
        """Ends with StepFinished, or raises ModelError. Closing the generator drops the connection."""
        ...

    def list_models(self) -> list[str]:
        """The names that the server offers; raises ModelError."""
        ...
