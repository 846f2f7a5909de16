"""Text from outside, made fit for every database, index and model: the one door for U+0000 and halves of characters."""

from __future__ import annotations

import json
import math
import re
from typing import Any

# Nobody means more; what is nested deeper breaks one or the other of the programs that read it.
DEEPEST_JSON = 64
# Scripts written without spaces: about one token a character; other text has about one in four characters.
DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U0001f300-\U0001faff\U00020000-\U0003ffff]")


def clean(text: str) -> str:
    """The text without U+0000, which PostgreSQL refuses, and lone surrogates, which no encoder takes.

    Two halves that belong together (a model's `\\ud83d\\ude00`) become the character they mean.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\0", "")


def unify_line_ends(text: str) -> str:
    """Each line ended as the product ends its own: a browser sends two characters for each."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def clean_json(value: Any, deepest: int = DEEPEST_JSON) -> Any:
    """The same for each string inside JSON data; numbers that JSON doesn't know (NaN, infinity) become None.

    Raises ValueError where it is nested deeper than that.
    """
    if deepest < 0:
        raise ValueError(f"The data is nested more than {DEEPEST_JSON} levels deep.")
    match value:
        case str():
            return clean(value)
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {clean(str(key)): clean_json(item, deepest - 1) for key, item in value.items()}
        case list() | tuple():
            return [clean_json(item, deepest - 1) for item in value]
        case _:
            return value


def read_json(text: str | bytes) -> Any:
    """JSON from outside, cleaned: its escapes (`\\u0000`) bring back what the text itself was free of.

    Raises ValueError for what is no JSON or nested too deep.
    """
    try:
        return clean_json(json.loads(text, strict=False))
    except RecursionError:
        raise ValueError("The data is nested too deep.") from None


def clip(text: str, length: int) -> str:
    """At most `length` characters; what is cut shows as an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def estimate_tokens(text: str) -> int:
    """Roughly what a model's tokenizer would count, without one: they must be fetched from a network at first use."""
    dense = len(DENSE.findall(text))
    return dense + math.ceil((len(text) - dense) / 4)
