"""What files of a conversation say to its turns: small ones all that they hold, of others what fits the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.db.models import Sum
from django.db.models.functions import Length

from knowledge.consulting import BUDGET, Attached, Consultation, Consulted, How, consult
from knowledge.models import Chunk, Document
from knowledge.passages import read_passage
from knowledge.search import Found, Wanted
from xiajiao.retrieval import Hit
from xiajiao.texts import estimate_tokens

# A token is four characters at the most, as they are estimated.
LONGEST_TOKEN = 4
# Files in which nothing fits, of which the beginning is sent: the newest.
MOST_BEGUN = 3
State = Document.State


def consult_attached(
    documents: Sequence[Document], said: Consultation, texts: Sequence[str], budget: int
) -> Consultation:
    """`said`: what the bases say; what the files say goes before it, all of it numbered anew.

    `budget`: tokens of the files that are sent whole, the newest first.
    """
    read = [document for document in documents if document.chunk_count]
    whole = dict(choose_whole(read, budget))
    rest = [document for document in read if document.pk not in whole]
    found = search(rest, texts)
    spoken = {item.found.chunk.document_id for item in found.used}
    silent = [document for document in rest if document.pk not in spoken][-MOST_BEGUN:]
    begun = {document.pk: list(begin(document, BUDGET // len(silent))) for document in silent}
    sent = [item for document in read for item in (whole | begun).get(document.pk, ())]
    items = [replace(item, number=number) for number, item in enumerate([*sent, *found.items, *said.items], 1)]
    hows = dict.fromkeys(whole, How.WHOLE) | dict.fromkeys(begun, How.BEGINNING) | dict.fromkeys(spoken, How.PASSAGES)
    hows |= {document.pk: How.SILENT for document in rest if document.pk not in hows}
    attached = [Attached(document, hows.get(document.pk) or find_lack(document)) for document in documents]
    return Consultation(items, said.is_degraded or found.is_degraded, attached)


def find_lack(document: Document) -> How:
    return How.UNREAD if document.is_running else How.FAILED


def search(documents: Sequence[Document], texts: Sequence[str]) -> Consultation:
    if not documents:
        return Consultation()
    bases = list({document.base_id: document.base for document in documents}.values())
    return consult(bases, texts, wanted=Wanted(doc_ids=[document.doc_id for document in documents]))


def choose_whole(documents: Sequence[Document], budget: int) -> Iterator[tuple[int, list[Consulted]]]:
    """The newest first, as long as they fit."""
    for document in reversed(documents):
        held = document.parents.aggregate(length=Sum(Length("text")))["length"] or 0
        if held > budget * LONGEST_TOKEN:
            continue
        items = list(list_parents(document))
        cost = sum(estimate_tokens(item.text) + estimate_tokens(item.label) for item in items)
        if cost <= budget:
            budget -= cost
            yield document.pk, items


def begin(document: Document, budget: int) -> Iterator[Consulted]:
    """Its beginning, of which at least one text is sent: no passage is found by “summarise this file”."""
    spent = 0
    for item in list_parents(document):
        spent += estimate_tokens(item.text)
        if spent > budget and spent != estimate_tokens(item.text):
            return
        yield item


def list_parents(document: Document) -> Iterator[Consulted]:
    """All texts of a document in their order, each by its first chunk."""
    seen: set[int] = set()
    for chunk in document.chunks.filter(enabled=True).select_related("parent", "document__base").iterator(100):
        if chunk.parent_id not in seen:
            seen.add(chunk.parent_id)
            yield Consulted(0, as_given(chunk), read_passage(chunk), is_given=True)


def as_given(chunk: Chunk) -> Found:
    """Nothing had to find it."""
    return Found(chunk, Hit("", str(chunk.pk), 0.0, None, None, None, None, 0.0), None, is_relevant=True)
