"""From the sections of a file to chunks, small enough to be found, in parents, large enough to be understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from semantic_text_splitter import MarkdownSplitter, TextSplitter

from knowledge.models.chunks import HEADING_JOINT
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.sections import Section
from xiajiao.texts import estimate_tokens

# A chunk of fewer tokens than this share of the size joins the one before it, where there is room.
TINY = 0.15
# Chunks of one document: writing them keeps everybody else who writes waiting.
MOST = 50_000


@dataclass(frozen=True)
class Cut:
    """How a base wants its documents cut; sizes in estimated tokens. `separators` are tried first, in their order."""

    size: int
    overlap: int
    parent_size: int
    separators: Sequence[str] = ()


@dataclass(frozen=True)
class Piece:
    """A chunk to be: `text` is what a search finds, and stands in its parent's text from `start` to `end`."""

    text: str
    section: Section
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Parent:
    text: str
    pieces: Sequence[Piece]


def chunk(sections: Iterable[Section], cut: Cut) -> list[Parent]:
    """In the order of the file; each piece in one parent. Raises ParseError where they would be more than MOST."""
    pieces = list(islice(join_tiny(cut_all(sections, cut), cut), MOST + 1))
    if len(pieces) > MOST:
        raise ParseError(Reason.TOO_MANY_CHUNKS)
    return [make_parent(group) for group in pack(pieces, cut)]


def cut_all(sections: Iterable[Section], cut: Cut) -> Iterator[Piece]:
    for section in sections:
        texts = cut_table(section, cut) if section.kind == "table" else cut_text(section, cut)
        for text in texts:
            if text.strip():
                yield Piece(text.strip("\n"), section)


def cut_text(section: Section, cut: Cut) -> Iterator[str]:
    room = room_below(section, cut)
    overlap = min(cut.overlap, room - 1)
    splitter = (MarkdownSplitter if section.kind == "text" else TextSplitter).from_callback(
        estimate_tokens, room, overlap=overlap
    )
    for part in split_at(section.text, cut.separators):
        yield from splitter.chunks(part)


def cut_table(section: Section, cut: Cut) -> Iterator[str]:
    """Whole rows, each time below the table's head; a row that is too long by itself is cut like a text."""
    head = f"{section.table_header}\n" if section.table_header else ""
    room = max(room_below(section, cut) - estimate_tokens(head), cut.size // 4)
    splitter = TextSplitter.from_callback(estimate_tokens, room)
    rows: list[str] = []
    held = 0
    for row in section.text.splitlines():
        size = estimate_tokens(row)
        if rows and held + size > room:
            yield head + "\n".join(rows)
            rows, held = [], 0
        if size > room:
            yield from (head + part for part in splitter.chunks(row))
            continue
        rows.append(row)
        held += size
    if rows:
        yield head + "\n".join(rows)


def room_below(section: Section, cut: Cut) -> int:
    """Tokens that the headings leave."""
    return max(cut.size - estimate_tokens(HEADING_JOINT.join(section.heading_path)), cut.size // 4)


def split_at(text: str, separators: Sequence[str]) -> list[str]:
    """At each of them that occurs; a separator stays with what it ends."""
    parts = [text]
    for separator in filter(None, separators):
        parts = [each for part in parts for each in split_keeping(part, separator)]
    return parts


def split_keeping(text: str, separator: str) -> list[str]:
    parts = text.split(separator)
    return [part + separator for part in parts[:-1]] + parts[-1:]


def join_tiny(pieces: Iterable[Piece], cut: Cut) -> Iterator[Piece]:
    """A heading with a line below it finds nothing by itself: it goes with its neighbour of the same page.

    What one section was cut into stays apart: it is as large as it should be, or a separator wanted it so.
    """
    last: Piece | None = None
    for piece in pieces:
        joined = None if last is None else join(last, piece, cut)
        if joined is None and last is not None:
            yield last
        last = joined or piece
    if last is not None:
        yield last


def join(first: Piece, second: Piece, cut: Cut) -> Piece | None:
    one, other = first.section, second.section
    if one is other or "table" in {one.kind, other.kind} or (one.page, one.sheet) != (other.page, other.sheet):
        return None
    sizes = estimate_tokens(first.text), estimate_tokens(second.text)
    if min(sizes) > cut.size * TINY or sum(sizes) > cut.size:
        return None
    common = shared_path(one.heading_path, other.heading_path)
    if not common and one.heading_path != other.heading_path:
        return None
    text = f"{below(first, len(common))}\n\n{below(second, len(common))}"
    return Piece(text, replace(one, heading_path=common))


def below(piece: Piece, depth: int) -> str:
    """With the headings that both don't share."""
    path = piece.section.heading_path[depth:]
    return "\n".join([*path, piece.text])


def shared_path(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    depth = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[: min(len(one), len(other)) if depth is None else depth]


def pack(pieces: Sequence[Piece], cut: Cut) -> Iterator[list[Piece]]:
    """Neighbours, as many as a parent holds; a new chapter or sheet begins a new one."""
    group: list[Piece] = []
    held = 0
    for piece in pieces:
        size = estimate_tokens(piece.text)
        if group and (held + size > cut.parent_size or chapter(group[-1]) != chapter(piece)):
            yield group
            group, held = [], 0
        group.append(piece)
        held += size
    if group:
        yield group


def chapter(piece: Piece) -> tuple[str, tuple[str, ...]]:
    return piece.section.sheet, piece.section.heading_path[:1]


def make_parent(pieces: Sequence[Piece]) -> Parent:
    text, placed = "", []
    for piece in pieces:
        start = place(text, piece.text)
        text = text[:start] + piece.text if start < len(text) else join_texts(text, piece.text)
        start = len(text) - len(piece.text)
        placed.append(replace(piece, start=start, end=len(text)))
    return Parent(text, placed)


def join_texts(before: str, text: str) -> str:
    return f"{before}\n\n{text}" if before else text


def place(before: str, text: str) -> int:
    """Where the text begins in what stands before it, for chunks overlap; its end where they don't."""
    for length in range(min(len(before), len(text)), 7, -1):
        if before.endswith(text[:length]):
            return len(before) - length
    return len(before)
