"""How a document would be cut, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.chunking import Cut, Piece, chunk
from knowledge.models import Document
from knowledge.parsing import Limits, parse
from knowledge.readers.limits import MEGABYTE
from knowledge.storage import file_of
from xiajiao.texts import estimate_tokens

# Somebody waits for it: seconds, and chunks that are shown.
PATIENCE, SHOWN = 20, 40


@dataclass(frozen=True)
class Preview:
    """The first chunks, each with its estimated tokens; `count` of all, `parents` of the texts around them."""

    pieces: Sequence[tuple[Piece, int]]
    count: int
    parents: int
    largest: int


def preview(document: Document, cut: Cut) -> Preview:
    """Raises ParseError, and FileNotFoundError where the original is gone."""
    limits = Limits(seconds=PATIENCE, size=50 * MEGABYTE)
    parsed = parse(file_of(document), document.name, limits, document.wanted_encoding)
    parents = chunk(parsed.sections, cut)
    pieces = [(piece, estimate_tokens(piece.text)) for parent in parents for piece in parent.pieces]
    return Preview(pieces[:SHOWN], len(pieces), len(parents), max((size for _piece, size in pieces), default=0))
