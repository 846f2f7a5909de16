"""A chunk in the text around it, as a citation shows it."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.models import Chunk, Document


@dataclass(frozen=True)
class Passage:
    """`before`, `marked` and `after` are the parent's text; of an edited chunk, what it was cut from is marked."""

    chunk: Chunk
    before: str
    marked: str
    after: str


def find_passage(document: Document, chunk_id: int) -> Passage | None:
    """None where the document has no such chunk any more."""
    chunk = document.chunks.select_related("parent").filter(pk=chunk_id).first()
    if chunk is None:
        return None
    text = chunk.parent.text
    return Passage(chunk, text[: chunk.start], text[chunk.start : chunk.end], text[chunk.end :])
