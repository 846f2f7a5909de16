"""A document's chunks as they were cut just now, in the place of those that stand: what is the same keeps its row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from knowledge.chunking import Parent, Piece
from knowledge.models import Chunk, Document, ParentChunk, SemanticIndex
from knowledge.namespaces import chunk_namespace
from xiajiao import fulltext
from xiajiao.batches import batched
from xiajiao.vectorstores import get_store, vector_namespace

MOVED = ["parent", "position", "start", "end", "page", "sheet"]
# Chunks between two words about how far the reading of terms is.
READ_AT_ONCE = 200


@dataclass(frozen=True)
class Written:
    """`orphans`: chunks in a person's own words that nothing in the new text corresponds to; they stay, at the end."""

    count: int
    orphans: int = 0


def read_terms(
    document: Document, parents: Sequence[Parent], on_progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, str]:
    """Of the chunks that will be new, by what they are found by: nine tenths of the work, before the transaction."""
    pieces = [new_chunk(document, piece) for parent in parents for piece in parent.pieces]
    standing = {chunk.searchable for chunk in document.chunks.select_related(None).order_by()}
    fresh = list(dict.fromkeys(each for piece in pieces if (each := piece.searchable) not in standing))
    found: dict[str, str] = {}
    for batch in batched(fresh, READ_AT_ONCE):
        on_progress(len(found), len(fresh))
        found |= {searchable: fulltext.read_terms(searchable) for searchable in batch}
    return found


@transaction.atomic
def write_chunks(document: Document, parents: Sequence[Parent], terms: Mapping[str, str] | None = None) -> Written:
    """Chunks, parents and full text change together. Twice with the same changes nothing.

    `terms` as read_terms found them, so that nobody who writes waits for that.
    """
    standing = Standing(document.chunks.select_related(None).order_by("position", "pk"))
    old_parents = list(document.parents.values_list("pk", flat=True))
    # Positions are unique: the old ones make room, and go when no chunk stands in them.
    rows = make_parents(document, parents, after=len(old_parents))
    kept: list[Chunk] = []
    new: list[Chunk] = []
    for parent, row in zip(parents, rows, strict=True):
        for piece in parent.pieces:
            found = standing.take(piece)
            chunk = found or new_chunk(document, piece)
            put(chunk, piece, row, len(kept) + len(new))
            (new if found is None else kept).append(chunk)
    orphans = list(standing.own_words())
    for place, chunk in enumerate(orphans, start=len(kept) + len(new)):
        chunk.position = place
    own = adopt(document, orphans, after=len(old_parents) + len(rows))
    remove_chunks(document, standing.rest())
    Chunk.objects.bulk_update([*kept, *own], MOVED, batch_size=500)
    Chunk.objects.bulk_create(new, batch_size=500)
    ParentChunk.objects.filter(pk__in=old_parents).delete()
    index_texts(document, new, terms)
    return Written(len(kept) + len(new) + len(own), len(orphans))


def new_chunk(document: Document, piece: Piece) -> Chunk:
    return Chunk(document=document, text=piece.text, heading_path=list(piece.section.heading_path))


class Standing:
    """The chunks of before, each to be found once by what it was cut from."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self.by_text: dict[tuple[str, tuple[str, ...]], list[Chunk]] = defaultdict(list)
        self.added: list[Chunk] = []
        for chunk in chunks:
            if chunk.is_added:
                self.added.append(chunk)
            else:
                cut = chunk.original if chunk.is_edited else chunk.text
                self.by_text[(cut, tuple(chunk.heading_path))].append(chunk)

    def take(self, piece: Piece) -> Chunk | None:
        found = self.by_text.get((piece.text, piece.section.heading_path))
        return found.pop(0) if found else None

    def own_words(self) -> Iterator[Chunk]:
        yield from self.added
        yield from (chunk for chunks in self.by_text.values() for chunk in chunks if chunk.is_edited)

    def rest(self) -> list[Chunk]:
        return [chunk for chunks in self.by_text.values() for chunk in chunks if not chunk.is_edited]


def put(chunk: Chunk, piece: Piece, parent: ParentChunk, position: int) -> None:
    chunk.parent, chunk.position = parent, position
    chunk.start, chunk.end = piece.start, piece.end
    chunk.page, chunk.sheet = piece.section.page, piece.section.sheet


def make_parents(document: Document, parents: Sequence[Parent], after: int) -> list[ParentChunk]:
    first = next_position(document, after)
    rows = [ParentChunk(document=document, position=first + at, text=parent.text) for at, parent in enumerate(parents)]
    return ParentChunk.objects.bulk_create(rows, batch_size=500)


def next_position(document: Document, least: int) -> int:
    last = document.parents.order_by("-position").values_list("position", flat=True).first()
    return max(least, 0 if last is None else last + 1)


def adopt(document: Document, chunks: Sequence[Chunk], after: int) -> Sequence[Chunk]:
    """A parent of its own for each, which says what it says."""
    first = next_position(document, after)
    for at, chunk in enumerate(chunks):
        chunk.parent = ParentChunk.objects.create(document=document, position=first + at, text=chunk.text)
        chunk.start, chunk.end = 0, len(chunk.text)
    return chunks


def remove_chunks(document: Document, chunks: Sequence[Chunk]) -> None:
    keys = [str(chunk.pk) for chunk in chunks]
    namespace = chunk_namespace(document.base_id)
    fulltext.remove(namespace, keys)
    for model in {chunk.embedded_with for chunk in chunks if chunk.embedded_with}:
        get_store().delete(vector_namespace(namespace, model), keys)
    for batch in batched(chunks):
        Chunk.objects.filter(pk__in=[chunk.pk for chunk in batch]).delete()


def index_texts(document: Document, chunks: Iterable[Chunk], terms: Mapping[str, str] | None = None) -> None:
    """`terms`: what was read before, of as many of them as it was."""
    namespace, terms = chunk_namespace(document.base_id), terms or {}
    for batch in batched(chunks):
        texts = {str(chunk.pk): chunk.searchable for chunk in batch}
        read = {key: terms.get(text) or fulltext.read_terms(text) for key, text in texts.items()}
        fulltext.index_terms(namespace, read)


def ask_for_vectors(document: Document) -> None:
    """Of chunks that have none; a worker finds out which are missing, for it knows the embedder."""
    done, total = document.chunks.exclude(embedded_with="").count(), document.chunks.count()
    fresh = {"state": SemanticIndex.State.WAITING, "done": done, "total": total, "error": "", "failures": 0}
    fresh |= {"due_at": None, "claim": "", "heartbeat": None, "attempts": 0}
    SemanticIndex.objects.update_or_create(document=document, defaults=fresh)
