"""A chunk in the text around it, as the model reads it and a citation shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.models import Chunk, Document

APART = "\n\n"


@dataclass(frozen=True)
class Passage:
    """`marked` is what the chunk says now, between what stands before it and after it in its parent."""

    chunk: Chunk
    before: str
    marked: str
    after: str

    @property
    def text(self) -> str:
        return self.before + self.marked + self.after

    def clip(self, length: int) -> Passage:
        """As much around the chunk as the length in characters leaves, as many before it as after where both are."""
        marked = self.marked[:length]
        room = length - len(marked)
        before = min(len(self.before), max(room // 2, room - len(self.after)))
        after = min(len(self.after), room - before)
        return Passage(self.chunk, self.before[len(self.before) - before :], marked, self.after[:after])


def find_passage(document: Document, chunk_id: int) -> Passage | None:
    """None where the document has no such chunk any more."""
    chunk = document.chunks.select_related("parent").filter(pk=chunk_id).first()
    return None if chunk is None else read_passage(chunk)


def read_passage(chunk: Chunk) -> Passage:
    """The chunks beside it as they are now, too: edited ones in a person's words, without what is switched off."""
    beside = list(chunk.parent.chunks.exclude(pk=chunk.pk).order_by("position", "pk"))
    text = chunk.parent.text
    if not any(each.is_edited or not each.enabled for each in beside):
        return Passage(chunk, text[: chunk.start], chunk.text, text[chunk.end :])
    earlier = [each for each in beside if (each.position, each.pk) < (chunk.position, chunk.pk)]
    later = [each for each in beside if each not in earlier]
    return Passage(chunk, tell(text, earlier, 0, chunk.start), chunk.text, tell(text, later, chunk.end, len(text)))


def tell(text: str, chunks: Sequence[Chunk], start: int, end: int) -> str:
    """The parent's text from `start` to `end`, in characters, as these chunks of it say it."""
    told, at = "", start
    is_whole = True
    for chunk in chunks:
        if not chunk.enabled:
            is_whole = False
            continue
        first, last = max(chunk.start, at), min(chunk.end, end)
        said = chunk.text if chunk.is_edited else text[first:last]
        told += (text[at:first] if is_whole else APART) + said
        at, is_whole = max(at, last), True
    return told + (text[at:end] if is_whole else APART)
