"""Tell from what the SDK raises what went wrong, and keep the provider's own sentence."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from httpx2 import ConnectError, HTTPError, TimeoutException
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from xiajiao.llm.base import ModelError
from xiajiao.llm.wire import CutOffError
from xiajiao.texts import clean

CODES = {
    401: "unauthorized",
    402: "no_credit",
    403: "forbidden",
    404: "not_found",
    405: "not_found",
    408: "timed_out",
    413: "too_long",
    429: "rate_limited",
}
TOO_LONG = re.compile(
    r"context.{0,3}length|context window|context size|maximum context|too many tokens|prompt is too long|"
    r"input is too long|reduce the length",
    re.IGNORECASE,
)
REFUSED = re.compile(r"content.?filter|content.?policy|content.?management|inappropriate content", re.IGNORECASE)
NO_CREDIT = re.compile(r"insufficient.?(quota|balance|credit|funds)|exceeded your current quota|billing", re.IGNORECASE)
KEY = re.compile(r"\b(?:sk|pk|rk|key|gsk|xai|AIza|hf|nvapi)[-_][\w*.-]{6,}|\bAIza[\w-]{20,}|(?<=Bearer )\S+")
TAGS = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
LONGEST_DETAIL = 300


def model_error(error: OpenAIError | HTTPError | CutOffError, api_key: str = "") -> ModelError:
    """The ModelError of anything that the SDK or its HTTP client raises."""
    if isinstance(error, APIStatusError):
        detail = blot_keys(find_sentence(error.body) or find_sentence(error.response.text), api_key)
        code = code_of(error.status_code, f"{detail} {error.code or ''} {error.type or ''}")
        return ModelError(code, detail, read_retry_after(error.response.headers))
    if isinstance(error, APITimeoutError | TimeoutException):
        return ModelError("timed_out")
    cause = error.__cause__
    if isinstance(error, APIConnectionError | ConnectError) and not isinstance(error, CutOffError):
        return ModelError("unreachable", blot_keys(str(cause or error), api_key))
    if isinstance(error, CutOffError | HTTPError):
        return ModelError("cut_off")
    return ModelError("bad_request", blot_keys(str(error), api_key))


def error_in_stream(error: Any) -> ModelError:
    """The error that a server sends in the place of a chunk."""
    detail = find_sentence(error)
    named = error if isinstance(error, dict) else {}
    words = f"{detail} {named.get('code', '')} {named.get('type', '')}"
    status = named.get("code") if isinstance(named.get("code"), int) else 500
    if re.search(r"rate.?limit|too many requests", words, re.IGNORECASE):
        status = 429
    return ModelError(code_of(int(status or 500), words), detail)


def code_of(status: int, words: str) -> str:
    """`words` are the provider's sentence and its own codes."""
    if status in {400, 413, 422, 500} and TOO_LONG.search(words):
        return "too_long"
    if status in {400, 403, 422, 500} and REFUSED.search(words):
        return "refused"
    if status in {400, 403, 429} and NO_CREDIT.search(words):
        return "no_credit"
    return CODES.get(status) or ("server_error" if status >= 500 else "bad_request")


def find_sentence(body: Any) -> str:
    """The words for a person in an error's body: OpenAI's form, FastAPI's, Ollama's, or an HTML page."""
    if isinstance(body, dict):
        found = next((body[key] for key in ("message", "error", "detail", "msg") if body.get(key)), "")
        return find_sentence(found)
    if isinstance(body, list):
        return find_sentence(body[0]) if body else ""
    text = TAGS.sub(" ", body) if isinstance(body, str) else ""
    return clean(" ".join(text.split()))[:LONGEST_DETAIL]


def blot_keys(text: str, api_key: str = "") -> str:
    """Providers like to repeat the key that they refuse."""
    if len(api_key) >= 4:
        text = text.replace(api_key, "…")
    return KEY.sub("…", text)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms`, or `Retry-After` as a number or a date."""
    with suppress(ValueError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else seconds_of(headers)
    return None


def seconds_of(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.replace(".", "", 1).isdigit():
        return float(value)
    moment = parsedate_to_datetime(value)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
