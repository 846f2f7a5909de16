"""What happens in a turn, in the order in which it happens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from xiajiao.llm.base import ReasoningDelta, TextDelta


@dataclass(frozen=True)
class TurnStarted:
    model_name: str
    provider_name: str


@dataclass(frozen=True)
class MemoriesRecalled:
    """`count` memories went into the prompt; `degraded` says why recall was less than it could be, or is empty.

    `known`: their ids.
    """

    count: int
    degraded: str = ""
    known: Sequence[int] = ()


@dataclass(frozen=True)
class FilesAwaited:
    """`count` files of the conversation are being read; the turn waits for them, for a while."""

    count: int


@dataclass(frozen=True)
class DocumentsConsulted:
    """`count` texts of documents went into the prompt; `known`: the numbers they are cited by."""

    count: int
    known: Sequence[int] = ()


@dataclass(frozen=True)
class ToolCalled:
    """`id` is the ToolCall's; its row is committed before this event."""

    id: int
    name: str
    arguments: str
    # Whether documents had been read before it.
    after_documents: bool = False


@dataclass(frozen=True)
class ToolReturned:
    id: int
    name: str
    result: str
    is_error: bool = False
    # Numbers of the sources that it named.
    sources: Sequence[int] = ()


@dataclass(frozen=True)
class Waited:
    """Nothing came for a second: a moment to save. It goes into no stream."""


@dataclass(frozen=True)
class TurnFinished:
    """The last event; the answer's row is final before it. `status` is a Message.Status."""

    status: str
    error_code: str = ""


Streamed = (
    TurnStarted
    | FilesAwaited
    | MemoriesRecalled
    | DocumentsConsulted
    | TextDelta
    | ReasoningDelta
    | ToolCalled
    | ToolReturned
    | TurnFinished
)
TurnEvent = Streamed | Waited

KINDS: dict[str, type[Streamed]] = {
    "started": TurnStarted,
    "awaited": FilesAwaited,
    "recalled": MemoriesRecalled,
    "consulted": DocumentsConsulted,
    "text": TextDelta,
    "reasoning": ReasoningDelta,
    "called": ToolCalled,
    "returned": ToolReturned,
    "finished": TurnFinished,
}
NAMES = {kind: name for name, kind in KINDS.items()}


def encode_event(event: Streamed) -> dict[str, str]:
    """The fields of an entry in the turn's stream."""
    return {"kind": NAMES[type(event)], "event": json.dumps(asdict(event), ensure_ascii=False)}


def decode_event(fields: dict[str, str]) -> Streamed:
    """The event that `encode_event` wrote."""
    return KINDS[fields["kind"]](**json.loads(fields["event"]))
