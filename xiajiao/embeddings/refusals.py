"""Why an embedding server gave no vectors, and whether it is worth asking again."""

from __future__ import annotations

from openai import APIConnectionError, APIStatusError, APITimeoutError

from xiajiao.embeddings.base import EmbeddingError

# What servers answer to too many texts, or to one too long.
TOO_MUCH = {400, 413, 422}
PASSING = {408, 409, 429, 500, 502, 503, 504, 529}
# Seconds; doubled at each attempt where the server names no time itself.
FIRST_WAIT = 0.5
# Characters of a server's own words that go into ours.
QUOTE = 300


class TooMuchError(EmbeddingError):
    """The server refuses this request; it may take a smaller one."""


def is_passing(error: APIStatusError | APIConnectionError) -> bool:
    return isinstance(error, APIConnectionError) or error.status_code in PASSING


def seconds_to_wait(error: APIStatusError | APIConnectionError, attempt: int) -> float:
    """The server's Retry-After in seconds, or a time that doubles."""
    if isinstance(error, APIStatusError):
        try:
            return max(0.0, float(error.response.headers.get("retry-after", "")))
        except ValueError:
            pass  # none, or a date
    return FIRST_WAIT * 2.0 ** min(attempt, 10)


def explain_refusal(error: APIStatusError | APIConnectionError, model: str, api_key: str) -> EmbeddingError:
    """One sentence with the server's own reason and never the key."""
    if isinstance(error, APITimeoutError):
        return EmbeddingError(f"The embedding server at {error.request.url} did not answer in time.")
    if isinstance(error, APIConnectionError):
        return EmbeddingError(
            f"The embedding server at {error.request.url} can't be reached: {error.__cause__ or error}."
        )
    said = str(error.message)
    if api_key:
        said = said.replace(api_key, "…")
    sentence = f"The embedding server refused with HTTP {error.status_code} ({said[:QUOTE]})"
    if error.status_code in TOO_MUCH:
        return TooMuchError(f"{sentence}.")
    if error.status_code in {401, 403}:
        return EmbeddingError(f"{sentence}: check OPENAI_API_KEY.")
    if error.status_code == 404:
        return EmbeddingError(f"{sentence}: check OPENAI_BASE_URL, and that the server has a model {model!r}.")
    return EmbeddingError(f"{sentence}.")
