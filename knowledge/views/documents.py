"""The documents of a base as a list that tells how far each is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from knowledge.browsing import list_tags, read_narrowing, read_page, tally
from knowledge.forms.documents import UploadForm, WebpageForm
from knowledge.models import Document, KnowledgeBase
from knowledge.storage import file_of
from knowledge.views.finding import can_edit, find_base, find_document, list_rows
from xiajiao.requests import SignedInRequest, read_number
from xiajiao.views.downloads import download


@require_GET
def base_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    return show_base(request, find_base(request, pk))


def show_base(request: SignedInRequest, base: KnowledgeBase, status: int = 200, **more: Any) -> HttpResponse:
    wanted = read_narrowing(request.GET)
    rows = wanted.apply(list_rows(base.documents.kept()))
    page = read_page(rows, wanted.order, read_number(request.GET, "after"), read_number(request.GET, "before"))
    context = {
        "base": base,
        "wanted": wanted,
        "page": page,
        "is_pending": any(is_pending(document) for document in page.documents),
        "tally": tally([base])[base.pk],
        "tags": list_tags(base),
        "states": Document.State.choices,
        "can_edit": can_edit(request, base),
        "upload": UploadForm(),
        "webpage": WebpageForm(),
        "most": settings.KB_FILE_MAX_MB,
        "most_of_all": settings.KB_BATCH_MAX_MB,
    }
    template = "knowledge/_document_list.html" if request.htmx else "knowledge/base_detail.html"
    return render(request, template, context | more, status=status)


def is_pending(document: Document) -> bool:
    """Whether there will be news of it."""
    index = getattr(document, "semantic_index", None)
    return document.is_running or (index is not None and index.is_running)


@require_GET
def document_file(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The original, as an attachment: no browser opens it on our site."""
    document = find_document(request, pk)
    try:
        file = file_of(document).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    return download(file, file_of(document).stat().st_size, document.name.rpartition("/")[2])
