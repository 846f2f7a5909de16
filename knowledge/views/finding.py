"""Bases and documents as far as the person who asks may see or change them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.models.documents import DocumentQuerySet
from xiajiao.requests import SignedInRequest

RELATED = ("base", "semantic_index", "added_by")


def find_base(request: SignedInRequest, pk: int) -> KnowledgeBase:
    return get_object_or_404(KnowledgeBase.objects.for_user(request.user).kept().select_related("owner"), pk=pk)


def find_editable_base(request: SignedInRequest, pk: int) -> KnowledgeBase:
    return get_object_or_404(KnowledgeBase.objects.editable_by(request.user).kept().select_related("owner"), pk=pk)


def can_edit(request: SignedInRequest, base: KnowledgeBase) -> bool:
    return KnowledgeBase.objects.editable_by(request.user).filter(pk=base.pk).exists()


def list_rows(documents: DocumentQuerySet) -> DocumentQuerySet:
    """With what a row of the list shows."""
    return documents.select_related(*RELATED).prefetch_related("tags")


def find_document(request: SignedInRequest, pk: int) -> Document:
    return get_object_or_404(list_rows(Document.objects.for_user(request.user).kept()), pk=pk)


def find_editable_document(request: SignedInRequest, pk: int) -> Document:
    return get_object_or_404(list_rows(Document.objects.editable_by(request.user).kept()), pk=pk)


def find_editable_chunk(request: SignedInRequest, pk: int) -> Chunk:
    documents = Document.objects.editable_by(request.user).kept()
    return get_object_or_404(Chunk.objects.filter(document__in=documents).select_related("document__base"), pk=pk)


def go_home(document: Document) -> HttpResponse:
    """To the base, or the conversation, that a document belongs to."""
    if document.base.conversation_id is not None:
        return redirect("chat:conversation_detail", document.base.conversation_id)
    return redirect("knowledge:base_detail", document.base_id)


def show(request: SignedInRequest, name: str, status: int = 200, **context: object) -> HttpResponse:
    """The page of that name, or what of it goes into a dialog."""
    template = f"knowledge/_{name}.html" if request.htmx else f"knowledge/{name}.html"
    return render(request, template, context, status=status)
