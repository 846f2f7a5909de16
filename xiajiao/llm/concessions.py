"""Parameters that compatible servers refuse: they are left out, and that is remembered for the server's model."""

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
    "response_format": re.compile(r"response_format|json_schema"),
    "max_tokens": re.compile(r"max_tokens"),
}
refused: dict[tuple[str, str], set[str]] = {}


def concede(source: ModelSource, body: dict[str, Any]) -> dict[str, Any]:
    """The body without what this server is known to refuse."""
    known = refused.get((source.base_url, source.model), set())
    return without(body, known) if known else body


def find_refused(error: ModelError, body: dict[str, Any]) -> str | None:
    """The parameter to leave out at the next attempt, if the error speaks of one.

    An error that names none may be about `stream_options`, the youngest of them.
    """
    if error.code not in {"bad_request", "server_error"}:
        return None
    for name, pattern in PATTERNS.items():
        if name in body and pattern.search(error.detail):
            return name
    return "stream_options" if error.code == "bad_request" and "stream_options" in body else None


def without(body: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """`max_tokens` goes on under its newer name."""
    kept = {key: value for key, value in body.items() if key not in names}
    if "max_tokens" in names and "max_tokens" in body:
        kept["max_completion_tokens"] = body["max_tokens"]
    return kept


def remember(source: ModelSource, names: set[str]) -> None:
    refused.setdefault((source.base_url, source.model), set()).update(names)
