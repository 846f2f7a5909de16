"""How a chunk is named in prompts and citations."""

from __future__ import annotations

from knowledge.models import Chunk


def label_chunk(chunk: Chunk) -> str:
    """`handbook.pdf, p. 3`, `prices.xlsx, Sheet1`; the name alone where there are no pages."""
    return ", ".join(filter(None, [chunk.document.name, place_of(chunk)]))


def place_of(chunk: Chunk) -> str:
    if chunk.page is not None:
        return f"p. {chunk.page}"
    return chunk.sheet
