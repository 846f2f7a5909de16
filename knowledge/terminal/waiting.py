"""Until documents are searchable: a worker is waited for, or the command does it itself where none runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from knowledge.embedding import embed_one
from knowledge.indexing import index
from knowledge.models import Document, SemanticIndex

# Seconds between two looks at what the workers do; between two questions whether there are any.
LOOK, TRUST = 0.3, 3.0
# Seconds of making vectors between two looks.
SLICE = 5.0


@dataclass(frozen=True)
class Hands:
    """Who does the work: how workers are told, and whether there are any."""

    nudge_indexing: Callable[[int], None]
    nudge_embedding: Callable[[], None]
    is_served: Callable[[], bool]
    show: Callable[[str], None]
    """What goes on at the moment, on a line that the next takes the place of."""


class Attendance:
    """Whether workers take jobs, asked now and then."""

    def __init__(self, is_served: Callable[[], bool]) -> None:
        self.ask = is_served
        self.asked_at = float("-inf")
        self.answer = False

    def __bool__(self) -> bool:
        if time.monotonic() - self.asked_at > TRUST:
            self.asked_at, self.answer = time.monotonic(), self.ask()
        return self.answer


def follow(keys: Iterable[int], hands: Hands) -> Iterator[Document]:
    """Each of them when its reading has ended; of an archive, what came out of it."""
    served = Attendance(hands.is_served)
    known = {document.pk: document for document in Document.objects.filter(pk__in=list(keys)).order_by("pk")}
    if served:
        for key in known:
            hands.nudge_indexing(key)
    while known:
        for document in list(known.values()):
            current = look(document, served, hands)
            if current is None:
                known |= {member.pk: member for member in list_members(document)}
            elif current.state not in Document.WORKED_AT:
                yield current
            else:
                continue
            del known[document.pk]
        if known:
            time.sleep(LOOK)


def look(document: Document, served: Attendance, hands: Hands) -> Document | None:
    """As it stands; None where it is gone."""
    if not served:
        hands.show(document.name)
        index(document)
    current = Document.objects.kept().filter(pk=document.pk).first()
    if current is not None and current.stage:
        hands.show(f"{current.name} {current.done}/{current.total}" if current.total else current.name)
    return current


def list_members(archive: Document) -> Iterable[Document]:
    """What came out of it, when it is gone for that."""
    return Document.objects.kept().filter(base=archive.base_id, doc_id__startswith=f"{archive.doc_id}/")


def follow_vectors(keys: Iterable[int], hands: Hands) -> Iterator[SemanticIndex]:
    """Those of these documents, when they all stand or failed once; how far they are meanwhile."""
    rows = SemanticIndex.objects.filter(document__in=list(keys), document__deleted_at__isnull=True).order_by("pk")
    open_rows = rows.filter(state=SemanticIndex.State.WAITING, failures=0)
    served = Attendance(hands.is_served)
    if served:
        hands.nudge_embedding()
    while (job := open_rows.first()) is not None:
        hands.show(say_vectors(rows))
        if served or not embed_one(job, time.monotonic() + SLICE):
            time.sleep(LOOK)
    yield from rows.select_related("document")


def say_vectors(rows: Iterable[SemanticIndex]) -> str:
    done = sum(row.done for row in rows)
    return f"{done}/{sum(row.total for row in rows)}"
