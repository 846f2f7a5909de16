"""What a model is asked when it looks through a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.template.loader import render_to_string

from memories.arguments import list_types
from memories.extraction.reading import MOST
from memories.languages import as_agent_language
from memories.models.types import Category
from xiajiao.fencing import escape_tags

# Part of a job's identity: what an older prompt read is not read again by itself.
PROMPT_VERSION = "1"


@dataclass(frozen=True)
class Line:
    """One message: `speaker` is user or agent, the text stands on one or more lines."""

    speaker: str
    text: str
    day: date


def render_extraction_prompt(lines: Sequence[Line], language: str) -> str:
    """In the agent's language; what was said stands between marks that it can't close."""
    context = {
        "lines": [{"speaker": line.speaker, "text": fence(line.text), "day": line.day} for line in lines],
        "types": [kind.key for kind in list_types()],
        "most": MOST,
    }
    return render_to_string(f"prompts/memories/extraction.{as_agent_language(language)}.txt", context).strip()


def render_complaint(problem: str, language: str) -> str:
    """What is said to a model whose reply could not be read. `problem`: cut, or the code of a ReplyError."""
    template = f"prompts/memories/extraction_again.{as_agent_language(language)}.txt"
    return render_to_string(template, {"problem": problem}).strip()


def fence(text: str) -> str:
    """Lines behind the first are indented: at the beginning of a line stands who speaks."""
    return "\n  ".join(escape_tags(text).strip().splitlines())


def make_response_format() -> dict[str, Any]:
    """As OpenAI's chat completions want a schema; all fields are required, as strict schemas must."""
    texts = {name: {"type": "string"} for name in ("content", "type", "quote", "subject")}
    fields = texts | {
        "category": {"type": "string", "enum": list(Category.values)},
        "importance": {"type": "integer", "enum": [1, 2, 3]},
    }
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": item}, "summary": {"type": "string"}},
        "required": ["memories", "summary"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "memories", "strict": True, "schema": schema}}
