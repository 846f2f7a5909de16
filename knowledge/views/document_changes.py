"""One click on a document, and the click that takes it back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from knowledge import changing
from knowledge.adding import next_id
from knowledge.forms.documents import DocumentForm, EncodingForm
from knowledge.models import Document
from knowledge.tasks import nudge_embedding, nudge_indexing
from knowledge.views.document_detail import show_document
from knowledge.views.finding import find_editable_document, go_home
from xiajiao.requests import SignedInRequest, read_switch


def answer(request: SignedInRequest, document: Document, said: str = "") -> HttpResponse:
    """Back to where the button stood."""
    if not request.htmx:
        if said:
            messages.success(request, said)
        to_document = request.POST.get("back") == "document"
        return redirect("knowledge:document_detail", document.pk) if to_document else go_home(document)
    return announce(request, said)


def announce(request: SignedInRequest, said: str = "", undo: str = "") -> HttpResponse:
    """For the messages; the list loads itself again."""
    response = render(request, "knowledge/_said.html", {"said": said, "undo": undo})
    response["HX-Trigger"] = "documents-changed"
    return response


@require_POST
def document_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    document = find_editable_document(request, pk)
    changing.cancel(document)
    return answer(request, document)


@require_POST
def document_retry(request: SignedInRequest, pk: int) -> HttpResponse:
    """Read it again, in the encoding that the person names, if they do; vectors that failed are made again."""
    document = find_editable_document(request, pk)
    form = EncodingForm(request.POST)
    is_named = "encoding" in request.POST and form.is_valid()
    columns = {"wanted_encoding": form.cleaned_data["encoding"]} if is_named else {}
    changing.requeue(document, **columns)
    nudge_indexing(document.pk)
    return answer(request, document)


@require_POST
def document_fetch(request: SignedInRequest, pk: int) -> HttpResponse:
    """A web page as its site has it now; to read it again needs no site. A file has none, and is only read again."""
    document = find_editable_document(request, pk)
    changing.requeue(document, wants_fetch=bool(document.url))
    nudge_indexing(document.pk)
    return answer(request, document)


@require_POST
def document_embed(request: SignedInRequest, pk: int) -> HttpResponse:
    """Only the vectors once more: the text serves as it is."""
    document = find_editable_document(request, pk)
    changing.retry_vectors(Document.objects.filter(pk=document.pk))
    nudge_embedding()
    return answer(request, document)


@require_POST
def document_switch(request: SignedInRequest, pk: int) -> HttpResponse:
    document = find_editable_document(request, pk)
    enabled = read_switch(request.POST, document.enabled)
    changing.set_enabled(document, enabled)
    return answer(request, document, _("It is searched again.") if enabled else _("It is no longer searched."))


@require_POST
def document_update(request: SignedInRequest, pk: int) -> HttpResponse:
    """Tags, and the encoding of a text."""
    document = find_editable_document(request, pk)
    form = DocumentForm(request.POST, is_text=bool(document.encoding or document.wanted_encoding))
    if not form.is_valid():
        return show_document(request, document, 422, form=form)
    changing.set_tags(document, form.cleaned_data["tags"])
    encoding = form.cleaned_data.get("encoding", document.wanted_encoding)
    if encoding != document.wanted_encoding:
        changing.requeue(document, wanted_encoding=encoding)
        nudge_indexing(document.pk)
    messages.success(request, _("Saved."))
    return redirect("knowledge:document_detail", document.pk)


@require_POST
def document_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asked for twice, it is done once and its undo offered again."""
    document = find_deletable(request, pk)
    changing.delete(document)
    undo, said = reverse("knowledge:document_restore", args=[pk]), say_deleted(document)
    if not request.htmx:
        messages.success(request, said, extra_tags=f"undo:{undo}")
        return go_home(document)
    return announce(request, said, undo)


def say_deleted(document: Document) -> str:
    return _("%(name)s is deleted. For ten minutes it can be brought back.") % {"name": f"\u2068{document.name}\u2069"}


@require_POST
def document_restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """For as long as the row is there; under another id where its own was given away."""
    document = find_deletable(request, pk)
    if document.deleted_at is not None:
        standing = document.base.documents.kept()
        is_free = not standing.filter(doc_id=document.doc_id).exists()
        changing.restore(document, document.doc_id if is_free else next_id(standing, document.doc_id))
    if document.is_running:
        nudge_indexing(document.pk)
    if request.htmx:
        return announce(request, _("It is back."))
    messages.success(request, _("It is back."))
    return go_home(document)


def find_deletable(request: SignedInRequest, pk: int) -> Document:
    """Deleted ones too, for as long as their rows are there."""
    return get_object_or_404(Document.objects.editable_by(request.user).select_related("base"), pk=pk)
