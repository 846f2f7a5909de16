"""Read the server-sent events of a chat completion, as tolerantly as servers need it."""

import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any

from xiajiao.llm.base import ModelError

logger = logging.getLogger(__name__)

LONGEST_LINE = 8 * 1024 * 1024
SHOWN = 300


class CutOffError(Exception):
    """The body ended before the reply did."""


def read_chunks(blocks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The chunks of a streamed reply up to `[DONE]`; lines that are no chunk are skipped.

    A server that ignores `stream` and answers in one JSON object gives one chunk.
    Raises CutOffError at an end without `[DONE]`, ModelError where nothing could be read at all.
    """
    others: list[bytes] = []
    understood = False
    for line in read_lines(blocks):
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            return
        chunk = parse_chunk(data) if data.startswith(b"{") else None
        if chunk is not None:
            understood = True
            yield chunk
        elif len(others) < SHOWN:
            others.append(line)
    chunk = None if understood else parse_chunk(b"\n".join(others))
    if chunk is not None:
        yield chunk
    elif understood:
        raise CutOffError
    else:
        raise ModelError("bad_reply", b"\n".join(others).decode("utf-8", "replace")[:SHOWN])


def read_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines end at CR or LF alone: JSON may hold U+2028, at which str.splitlines would cut."""
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).replace(b"\r", b"\n").split(b"\n")
        yield from filter(None, lines)
        if len(rest) > LONGEST_LINE:
            raise ModelError("too_long_reply")
    if rest:
        yield rest


def parse_chunk(data: bytes) -> dict[str, Any] | None:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError; brackets upon brackets are the other
        logger.warning("A chat server sent a line that is no JSON: %.80r", data)
        return None
    return chunk if isinstance(chunk, dict) else None
