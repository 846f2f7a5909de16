"""The documents of a base as a list: narrowed, in an order, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from django.db.models import Count, Exists, OuterRef, Q, Sum

from knowledge.models import Document, DocumentTag, KnowledgeBase, SemanticIndex
from knowledge.models.documents import DocumentQuerySet
from xiajiao.texts import clean

PAGE = 50
# By what a list is sorted, and whether the largest come first.
ORDERS: dict[str, tuple[str, bool]] = {"newest": ("pk", True), "oldest": ("pk", False), "name": ("name", False)}
ORDERS |= {"size": ("size", True), "chunks": ("chunk_count", True)}
RUNNING, OFF, UNEMBEDDED = "running", "off", "unembedded"


@dataclass(frozen=True)
class Narrowing:
    """`state` is one of Document.State, `running` (both of those), `off`, or `unembedded`: its vectors failed."""

    words: str = ""
    state: str = ""
    tag: str = ""
    order: str = "newest"

    @property
    def is_narrow(self) -> bool:
        return bool(self.words or self.state or self.tag)

    def apply(self, documents: DocumentQuerySet) -> DocumentQuerySet:
        if self.words:
            documents = documents.filter(Q(name__icontains=self.words) | Q(doc_id__icontains=self.words))
        if self.tag:
            documents = documents.filter(Exists(DocumentTag.objects.filter(document=OuterRef("pk"), tag=self.tag)))
        match self.state:
            case "":
                return documents
            case "running":
                return documents.filter(state__in=Document.WORKED_AT)
            case "off":
                return documents.filter(enabled=False)
            case "unembedded":
                return documents.filter(semantic_index__state=SemanticIndex.State.FAILED)
        return documents.filter(state=self.state)


def read_narrowing(values: Mapping[str, str]) -> Narrowing:
    """Whatever is said; what makes no sense narrows nothing."""
    state, order = values.get("state", ""), values.get("sort", "")
    known = {RUNNING, OFF, UNEMBEDDED, *Document.State.values}
    words = normalize("NFC", clean(values.get("q", "")).strip()[:200])
    tag = clean(values.get("tag", "")).strip()[:50]
    return Narrowing(words, state if state in known else "", tag, order if order in ORDERS else "newest")


@dataclass(frozen=True)
class DocumentPage:
    """`previous`, `next`: the document before or behind which the page beside it begins; None: there is none."""

    documents: Sequence[Document]
    previous: int | None = None
    next: int | None = None


def read_page(documents: DocumentQuerySet, order: str, after: int | None, before: int | None) -> DocumentPage:
    """Behind or before a document; from the start where that one is gone."""
    column, is_descending = ORDERS[order]
    turned = before is not None
    place = documents.model.objects.filter(pk=(before if turned else after) or 0).first()
    if place is not None:
        documents = documents.filter(beyond(column, is_descending != turned, place))
    sign = "-" if is_descending != (turned and place is not None) else ""
    found = list(documents.order_by(f"{sign}{column}", f"{sign}pk")[: PAGE + 1])
    rows, is_more = found[:PAGE], len(found) > PAGE
    if turned and place is not None:
        rows.reverse()
        return DocumentPage(rows, rows[0].pk if is_more else None, rows[-1].pk if rows else None)
    has_previous = place is not None and rows
    return DocumentPage(rows, rows[0].pk if has_previous else None, rows[-1].pk if is_more else None)


def beyond(column: str, is_descending: bool, place: Document) -> Q:
    side, value = ("lt" if is_descending else "gt"), getattr(place, column)
    return Q(**{f"{column}__{side}": value}) | Q(**{column: value, f"pk__{side}": place.pk})


@dataclass
class Tally:
    """What a base holds."""

    documents: int = 0
    chunks: int = 0
    ready: int = 0
    running: int = 0
    failed: int = 0
    empty: int = 0
    cancelled: int = 0
    unembedded: int = 0


def tally(bases: Sequence[KnowledgeBase]) -> dict[int, Tally]:
    """By key of the base; each of them is there."""
    tallies = {base.pk: Tally() for base in bases}
    rows = Document.objects.kept().filter(base__in=tallies).order_by()
    for row in rows.values("base", "state").annotate(count=Count("pk"), held=Sum("chunk_count")):
        found = tallies[row["base"]]
        found.documents += row["count"]
        found.chunks += row["held"] or 0
        kind = RUNNING if row["state"] in Document.WORKED_AT else row["state"]
        if hasattr(found, kind):
            setattr(found, kind, getattr(found, kind) + row["count"])
    unembedded = rows.filter(semantic_index__state=SemanticIndex.State.FAILED)
    for base_id, count in unembedded.values_list("base").annotate(count=Count("pk")):
        tallies[base_id].unembedded = count
    return tallies


def list_tags(base: KnowledgeBase) -> list[str]:
    tags = DocumentTag.objects.filter(document__base=base, document__deleted_at__isnull=True)
    return list(tags.order_by("tag").values_list("tag", flat=True).distinct()[:200])
