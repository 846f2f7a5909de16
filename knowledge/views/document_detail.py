"""A document: where it comes from, what it was cut into, and the passage that a citation means."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from knowledge.forms.documents import DocumentForm
from knowledge.models import Document
from knowledge.passages import find_passage
from knowledge.views.documents import is_pending
from knowledge.views.finding import can_edit, find_document
from xiajiao.requests import SignedInRequest, read_number

PAGE = 50


@require_GET
def document_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    """`chunk`: the passage that is shown in the text around it; `from`: the place at which the list begins."""
    return show_document(request, find_document(request, pk))


def show_document(request: SignedInRequest, document: Document, status: int = 200, **more: Any) -> HttpResponse:
    asked = read_number(request.GET, "chunk")
    passage = None if asked is None else find_passage(document, asked)
    first = read_number(request.GET, "from") or 0
    if passage is not None and "from" not in request.GET:
        first = passage.chunk.position // PAGE * PAGE
    chunks = list(document.chunks.filter(position__gte=first)[: PAGE + 1])
    tags = ", ".join(each.tag for each in document.tags.all())
    initial = {"tags": tags, "encoding": document.wanted_encoding}
    context = {
        "document": document,
        "base": document.base,
        "passage": passage,
        "is_lost": asked is not None and passage is None,
        "chunks": chunks[:PAGE],
        "previous": max(first - PAGE, 0) if first else None,
        "next": chunks[PAGE].position if len(chunks) > PAGE else None,
        "is_pending": is_pending(document),
        "can_edit": can_edit(request, document.base),
        "form": DocumentForm(initial=initial, is_text=bool(document.encoding or document.wanted_encoding)),
    }
    return render(request, "knowledge/document_detail.html", context | more, status=status)
