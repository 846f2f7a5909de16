"""Past messages in the form of OpenAI's chat completions, as many as fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from chat.models import Message, ToolCall
from xiajiao.texts import clip, estimate_tokens

LONGEST_OLD_RESULT = 2_000  # characters; the model has read it whole in its turn
INTERRUPTED_RESULT = "[interrupted before it returned]"
# The cut moves in steps of so many messages, so that a provider's prompt cache holds for some turns.
STRIDE = 8

Sent = dict[str, Any]


@dataclass(frozen=True)
class Transcript:
    """`messages` for the model, oldest first; `is_trimmed`: older ones did not fit."""

    messages: list[Sent]
    is_trimmed: bool = False


def write_transcript(history: Sequence[Message], budget: int) -> Transcript:
    """The newest messages within `budget` estimated tokens. A tool call is never parted from its result."""
    units = [unit for message in history if (unit := write_message(message))]
    start = find_start([estimate_unit(unit) for unit in units], budget)
    return Transcript([sent for unit in units[start:] for sent in unit], start > 0)


def find_start(sizes: Sequence[int], budget: int) -> int:
    """The index of the first unit that is sent."""
    start, room = len(sizes), budget
    while start and sizes[start - 1] <= room:
        start -= 1
        room -= sizes[start]
    return min(len(sizes), -(-start // STRIDE) * STRIDE)


def estimate_unit(unit: Sequence[Sent]) -> int:
    return sum(estimate_tokens(json.dumps(sent, ensure_ascii=False)) for sent in unit)


def write_message(message: Message) -> list[Sent]:
    """One message as the model knew it; nothing for an answer that came to nothing."""
    if message.role == Message.Role.USER:
        return [{"role": "user", "content": message.content}]
    sent, start = [], 0
    for _step, group in groupby(message.tool_calls.all(), key=lambda call: call.step):
        calls = list(group)
        sent += write_calls(message.content[start : calls[0].offset], calls)
        start = calls[0].offset
    if message.content[start:].strip():
        sent.append({"role": "assistant", "content": message.content[start:]})
    return sent


def write_calls(text: str, calls: Sequence[ToolCall]) -> list[Sent]:
    asked = [write_call(call.call_id, call.name, call.arguments) for call in calls]
    results = [{"role": "tool", "tool_call_id": call.call_id, "content": write_result(call)} for call in calls]
    return [{"role": "assistant", "content": text or None, "tool_calls": asked}, *results]


def write_result(call: ToolCall) -> str:
    has_returned = call.status in {ToolCall.Status.DONE, ToolCall.Status.ERROR}
    return clip(call.result, LONGEST_OLD_RESULT) if has_returned else INTERRUPTED_RESULT


def write_call(call_id: str, name: str, arguments: str) -> Sent:
    """Arguments that are no JSON object would be refused by some servers when they come back: none are sent then."""
    try:
        is_object = isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    function = {"name": name, "arguments": arguments if is_object else "{}"}
    return {"id": call_id, "type": "function", "function": function}
