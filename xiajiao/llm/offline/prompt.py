"""Read back from a prompt what it holds: the question, recalled memories, passages and the results of tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CJK = re.compile(r"[\u3400-\u9fff]")
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!## ).*(?:\n|\Z))*)", re.MULTILINE)
MEMORY = re.compile(r"^- \[M(?P<id>\d+)\] (?P<text>.+)$")
PASSAGE = re.compile(r"^\[(?P<number>\d+)\] \(doc: (?P<document>.+)\)[ \t]*$", re.MULTILINE)
# What a document itself says of it is escaped.
FENCE_END = "</agent-documents>"
PROCEDURAL = ("程序性", "procedural")


@dataclass(frozen=True)
class RecalledItem:
    id: str
    text: str
    is_procedural: bool


@dataclass(frozen=True)
class Passage:
    number: str
    document: str
    text: str


@dataclass(frozen=True)
class ToolResult:
    name: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """`results` are those of the turn at hand, in the order of their calls."""

    question: str
    memories: tuple[RecalledItem, ...]
    passages: tuple[Passage, ...]
    results: tuple[ToolResult, ...]
    language: str


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> Prompt:
    last = max((number for number, message in enumerate(messages) if message["role"] == "user"), default=-1)
    question = text_of(messages[last]) if last >= 0 else ""
    system = "\n\n".join(text_of(message) for message in messages if message["role"] == "system")
    sections = {match["title"].strip(): match["body"] for match in SECTION.finditer(system)}
    return Prompt(
        question,
        tuple(read_memories(sections.get("[MEMORY]", ""))),
        tuple(read_passages(sections.get("Documents", ""))),
        tuple(read_results(messages[last + 1 :])),
        language_of(question, system),
    )


def text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def language_of(question: str, system: str) -> str:
    """The question's language; of one without letters, the prompt's."""
    asked = question if re.search(r"[^\W\d_]", question) else system
    return "zh-hans" if CJK.search(asked) else "en"


def read_memories(section: str) -> Iterator[RecalledItem]:
    is_procedural = False
    for line in section.splitlines():
        if line.startswith("### "):
            is_procedural = any(word in line.lower() for word in PROCEDURAL)
        elif match := MEMORY.match(line):
            yield RecalledItem(match["id"], match["text"].strip(), is_procedural)


def read_passages(section: str) -> Iterator[Passage]:
    section = section.partition(FENCE_END)[0]
    heads = list(PASSAGE.finditer(section))
    ends = [*(head.start() for head in heads[1:]), len(section)]
    for head, end in zip(heads, ends, strict=False):
        yield Passage(head["number"], head["document"], section[head.end() : end].strip())


def read_results(messages: Sequence[Mapping[str, Any]]) -> Iterator[ToolResult]:
    names = {call["id"]: call["function"]["name"] for message in messages for call in message.get("tool_calls") or ()}
    for message in messages:
        if message["role"] == "tool":
            yield ToolResult(names.get(message.get("tool_call_id"), ""), text_of(message))
