"""Parameters that compatible servers refuse: they are left out, and that is remembered for the server's model.

An answer in JSON is asked for by schema, else as any JSON object, else not at all.
"""

import re
from typing import Any

from xiajiao.llm.base import ModelError, ModelSource

PATTERNS = {
    "stream_options": re.compile(r"stream_options|include_usage"),
    "tools": re.compile(
        r"(not|n't) support.{0,20}(tool|function)|(tool|function).{0,40}not supported|tools param requires|"
        r"tool choice requires",
        re.IGNORECASE,
    ),
    "temperature": re.compile(r"temperature"),
    "response_format": re.compile(
        r"response.?format|json.?(schema|object|mode)|structured.?output|guided|grammar|failed to generate json",
        re.IGNORECASE,
    ),
    "max_tokens": re.compile(r"max_tokens"),
}
# The first of the two that a body has is left out where an error names nothing.
UNNAMED = ("stream_options", "response_format")
# Stands for the schema alone: JSON is asked for all the same.
SCHEMA = "json_schema"
refused: dict[tuple[str, str], set[str]] = {}


def concede(source: ModelSource, body: dict[str, Any]) -> dict[str, Any]:
    """The body without what this server is known to refuse."""
    known = refused.get((source.base_url, source.model), set())
    return without(body, known) if known else body


def find_refused(error: ModelError, body: dict[str, Any]) -> str | None:
    """What to leave out at the next attempt, if the error speaks of it: a parameter, or SCHEMA.

    An error that names none may be about `stream_options`, the youngest of them, or about the form of the answer.
    """
    if error.code not in {"bad_request", "server_error"}:
        return None
    named = next((name for name, pattern in PATTERNS.items() if name in body and pattern.search(error.detail)), None)
    if named is None and error.code == "bad_request":
        named = next((name for name in UNNAMED if name in body), None)
    return SCHEMA if named == "response_format" and has_schema(body) else named


def has_schema(body: dict[str, Any]) -> bool:
    return body["response_format"].get("type") == SCHEMA


def without(body: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """`max_tokens` goes on under its newer name, a schema as JSON of any form."""
    kept = {key: value for key, value in body.items() if key not in names}
    if "max_tokens" in names and "max_tokens" in body:
        kept["max_completion_tokens"] = body["max_tokens"]
    if SCHEMA in names and "response_format" in kept and has_schema(kept):
        kept["response_format"] = {"type": "json_object"}
    return kept


def remember(source: ModelSource, names: set[str]) -> None:
    refused.setdefault((source.base_url, source.model), set()).update(names)
