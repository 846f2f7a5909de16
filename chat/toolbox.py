"""The tools that a chat offers to an agent's model, and what becomes of one call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import json_repair

from memories.models import Agent, MemoryMode
from xiajiao.llm.base import RequestedCall
from xiajiao.texts import clean, clean_json, clip, read_json
from xiajiao.tools import READS, WRITES, Scope, Tool, ToolError, list_offers

FORBIDDEN: dict[MemoryMode, set[str]] = {
    MemoryMode.NORMAL: set(),
    MemoryMode.READ_ONLY: {WRITES},
    MemoryMode.TEMPORARY: {READS, WRITES},
}
LONGEST_RESULT = 16_000  # characters
LONGEST_ARGUMENTS = 60_000


@dataclass(frozen=True)
class ToolOutcome:
    """What the model is told; `is_error` where the call was refused."""

    result: str
    is_error: bool = False


def allowed_tools(agent: Agent, mode: str = MemoryMode.NORMAL) -> list[Tool]:
    """Without those that read or write what lasts, as far as the conversation's mode forbids it."""
    forbidden = FORBIDDEN[MemoryMode(mode)]
    offers = [offer for offer in list_offers() if offer.memory not in forbidden]
    return [offer.tool for offer in offers if agent.allows(offer.tool.name)]


def find_tool(tools: Iterable[Tool], name: str) -> Tool | None:
    """By its name or one of its aliases."""
    return next((tool for tool in tools if name == tool.name or name in tool.aliases), None)


def run_call(scope: Scope, tools: Sequence[Tool], call: RequestedCall) -> ToolOutcome:
    """Never raises for what a model does wrong: it is told what would be right."""
    try:
        tool = find_tool(tools, clean(call.name).strip())
        if tool is None:
            raise ToolError(f"There is no tool {clip(call.name, 60)!r}; there are: {name_all(tools)}.")
        result = tool.call(scope, read_arguments(tool, call.arguments))
    except ToolError as error:
        return ToolOutcome(bound(str(error)), is_error=True)
    return ToolOutcome(bound(result))


def name_all(tools: Iterable[Tool]) -> str:
    return ", ".join(tool.name for tool in tools) or "none"


def read_arguments(tool: Tool, text: str) -> dict[str, Any]:
    """The JSON object that the model meant; repaired where it nearly is one. Raises ToolError."""
    if len(text) > LONGEST_ARGUMENTS:
        raise ToolError(f"The arguments may have {LONGEST_ARGUMENTS:,} characters.")
    arguments = parse_json(text)
    if not isinstance(arguments, dict) or (not arguments and text.strip(" {}\n\t")):
        raise ToolError(f"The arguments of {tool.name} must be one JSON object, such as {show_example(tool)}.")
    known = tool.parameters["properties"]
    return {name: fit_type(name, value, known.get(name, {})) for name, value in arguments.items()}


def parse_json(text: str) -> Any:
    """None for what is no JSON with the best will in the world."""
    try:
        return read_json(text or "{}")
    except ValueError:
        return repair_json(text)


def repair_json(text: str) -> Any:
    try:
        return clean_json(json_repair.loads(text))
    except (RecursionError, ValueError):
        return None


def fit_type(name: str, value: Any, schema: dict[str, Any]) -> Any:
    """A number where text is asked for is text; anything else that can't be text is refused. Raises ToolError."""
    if schema.get("type") != "string" or value is None or isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        raise ToolError(f"{name} must be text.")
    return str(value)


def show_example(tool: Tool) -> str:
    names = tool.parameters["required"] or list(tool.parameters["properties"])[:1]
    return json.dumps(dict.fromkeys(names, "…"), ensure_ascii=False)


def bound(text: str) -> str:
    text = clean(text)
    if len(text) <= LONGEST_RESULT:
        return text
    return f"{text[:LONGEST_RESULT]}\n[cut: {len(text) - LONGEST_RESULT:,} more characters]"
