"""Tools that a model may call: a function whose signature and docstring the model reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from django.utils.functional import Promise

JSON_TYPES: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
    list: {"type": "array", "items": {"type": "string"}},
}


class ToolError(Exception):
    """For the model to read: what was wrong with its call, and what would be right."""


@dataclass(frozen=True)
class Effect:
    """Something that a tool changed, for the page to show under the answer.

    `action` is a MemoryRevision action; `memory_id` the row it happened to.
    """

    action: str
    memory_id: int
    content: str


@dataclass(frozen=True)
class Proposal:
    """Something that only a person does, and that a tool asks for: to forget these memories for good.

    `about`: what the person called it.
    """

    about: str
    memory_ids: tuple[int, ...]


@dataclass(frozen=True)
class Cited:
    """What a document said to a tool; the answer may cite it by `number`.

    `content` is as it was told; the chunk that was found stands in it from `start` to `end`.
    """

    number: int
    chunk_id: int
    label: str
    content: str
    start: int
    end: int
    score_parts: dict[str, float]


@dataclass
class Scope:
    """On whose behalf a tool runs. The model never sees or names these; what the tool changed is left in `effects`,
    what it asks the person for in `proposals`.

    `heard`: the text of the person's message that is being answered. `numbers`: by what number the turn cites what
    documents said already, by the id of the parent chunk; a tool goes on counting, and leaves what is new in `cited`.
    """

    agent_id: int
    user_id: int
    conversation_id: int | None = None
    message_id: int | None = None
    user_message_id: int | None = None
    heard: str = ""
    effects: list[Effect] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    cited: list[Cited] = field(default_factory=list)


@dataclass(frozen=True)
class Tool:
    """A function with the schema that the model is shown. Aliases are answered, not advertised."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., str]
    aliases: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat completions."""
        described = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": described}

    def call(self, scope: Scope, arguments: dict[str, Any]) -> str:
        """The result as text for the model. Raises ToolError where the arguments don't fit."""
        known = self.parameters["properties"]
        unknown = sorted(set(arguments) - set(known))
        missing = [name for name in self.parameters["required"] if arguments.get(name) is None]
        if missing:
            raise ToolError(f"{self.name} needs {', '.join(missing)}.")
        if unknown:
            raise ToolError(f"{self.name} knows no {', '.join(unknown)}; it takes {', '.join(known)}.")
        given = {name: value for name, value in arguments.items() if value is not None}
        return self.function(scope, **given)


def tool(*aliases: str) -> Callable[[Callable[..., str]], Tool]:
    """Make a Tool of a function (scope, **arguments) -> str: `@tool()` or `@tool("memory_save")`."""

    def decorate(function: Callable[..., str]) -> Tool:
        hints = get_type_hints(function)
        signature = inspect.signature(function)
        parameters = list(signature.parameters.values())[1:]
        schema = {
            "type": "object",
            "properties": {parameter.name: json_type(hints[parameter.name]) for parameter in parameters},
            "required": [parameter.name for parameter in parameters if parameter.default is parameter.empty],
        }
        return Tool(function.__name__, inspect.getdoc(function) or "", schema, function, aliases)

    return decorate


def json_type(hint: Any) -> dict[str, Any]:
    """The JSON schema of an annotation; `X | None` is shown as X, a union by its first member."""
    if get_origin(hint) in {Union, UnionType}:
        hint = next(member for member in get_args(hint) if member is not NoneType)
    return dict(JSON_TYPES[get_origin(hint) or hint])


READS, WRITES = "reads", "writes"


@dataclass(frozen=True)
class Offer:
    """A tool that agents may be allowed; `label` says to a person what it is for.

    `memory`: whether it reads or writes what lasts beyond the conversation (READS, WRITES), empty: neither.
    """

    tool: Tool
    label: Promise | str
    memory: str = ""


_offers: dict[str, Offer] = {}


def offer(tool: Tool, label: Promise | str, memory: str = "") -> None:
    """By the app that has it, when it is ready."""
    _offers[tool.name] = Offer(tool, label, memory)


def list_offers() -> list[Offer]:
    return list(_offers.values())
