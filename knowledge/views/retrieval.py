"""What a search finds, and why not; how a document would be cut."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from knowledge.browsing import list_tags
from knowledge.explaining import Absence, explain_absence
from knowledge.forms.bases import CuttingForm
from knowledge.models import Chunk, KnowledgeBase
from knowledge.parsing import ParseError
from knowledge.parsing.words import REASONS
from knowledge.previewing import preview
from knowledge.search import Wanted, search_chunks
from knowledge.views.finding import can_edit, find_base, find_editable_base
from xiajiao.requests import SignedInRequest, read_number
from xiajiao.reranking import is_reranking
from xiajiao.texts import clean

LONGEST_QUERY = 1000
USUAL, MOST = 10, 50
# Chunks that hold the expected words, of which it is said why they were not found.
EXPLAINED = 3


@require_GET
def retrieval_test(request: SignedInRequest, pk: int) -> HttpResponse:
    """The very search of a turn and of the tools. `expected`: words of a chunk that should have come."""
    base = find_base(request, pk)
    query = clean(request.GET.get("q", "")).strip()[:LONGEST_QUERY]
    expected = clean(request.GET.get("expected", "")).strip()[:LONGEST_QUERY]
    top_k = min(max(read_number(request.GET, "top_k") or USUAL, 1), MOST)
    tag = clean(request.GET.get("tag", ""))[:50]
    wanted = Wanted(tags=[tag] if tag else [])
    context = {
        "base": base,
        "query": query,
        "expected": expected,
        "top_k": top_k,
        "tag": tag,
        "tags": list_tags(base),
        "findings": search_chunks([base], query, top_k, wanted) if query else None,
        "absences": explain(base, query, expected) if query and expected else [],
        "can_edit": can_edit(request, base),
        "is_reranking": is_reranking(),
    }
    template = "knowledge/_retrieval_results.html" if request.htmx else "knowledge/retrieval_test.html"
    return render(request, template, context)


def explain(base: KnowledgeBase, query: str, expected: str) -> list[Absence]:
    """A chunk by its number (#12), or the first that hold the words."""
    rows = Chunk.objects.filter(document__base=base, document__deleted_at__isnull=True)
    number = expected.removeprefix("#")
    is_number = expected.startswith("#") and number.isascii() and number.isdecimal() and len(number) < 19
    found = rows.filter(pk=number) if is_number else rows.filter(text__icontains=expected)
    chunks = found.select_related("document__base", "parent").order_by("pk")[:EXPLAINED]
    return [explain_absence(chunk, query) for chunk in chunks]


@require_GET
def base_preview(request: SignedInRequest, pk: int) -> HttpResponse:
    """How the document named would be cut by what the form says; nothing is written."""
    base = find_editable_base(request, pk)
    form = CuttingForm(request.GET, instance=base)
    document = base.documents.kept().filter(pk=read_number(request.GET, "document") or 0).first()
    context: dict[str, Any] = {"base": base, "form": form, "document": document}
    if document is not None and form.is_valid():
        try:
            context["preview"] = preview(document, form.cut)
        except ParseError as error:
            context["words"] = REASONS[error.code]
        except FileNotFoundError:
            context["is_gone"] = True
    template = "knowledge/_base_preview.html" if request.htmx else "knowledge/base_preview.html"
    return render(request, template, context)
