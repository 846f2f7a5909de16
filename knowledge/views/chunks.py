"""Chunks: written, corrected, switched off."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from knowledge import editing
from knowledge.forms.documents import ChunkEditForm, ChunkForm
from knowledge.models import Chunk
from knowledge.tasks import nudge_embedding
from knowledge.views.finding import find_editable_chunk, find_editable_document, show
from xiajiao.requests import SignedInRequest, read_switch


def go_to(chunk: Chunk) -> HttpResponseRedirect:
    """Its place among the document's chunks."""
    url = reverse("knowledge:document_detail", args=[chunk.document_id])
    return HttpResponseRedirect(f"{url}?from={chunk.position // 50 * 50}#chunk-{chunk.pk}")


def done(request: SignedInRequest, chunk: Chunk, said: str) -> HttpResponse:
    messages.success(request, said)
    response: HttpResponse = go_to(chunk)
    if request.htmx:
        # The same page again, with another fragment, would not be loaded.
        url = reverse("knowledge:chunk_place", args=[chunk.pk])
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return response


@require_http_methods(["GET", "HEAD"])
def chunk_place(request: SignedInRequest, pk: int) -> HttpResponse:
    """Leads to the chunk in its document."""
    return go_to(find_editable_chunk(request, pk))


@require_http_methods(["GET", "HEAD", "POST"])
def chunk_create(request: SignedInRequest, pk: int) -> HttpResponse:
    """`pk` is the document's."""
    document = find_editable_document(request, pk)
    form = ChunkForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        chunk = editing.add_chunk(document, form.cleaned_data["text"], form.cleaned_data["heading"])
        nudge_embedding()
        return done(request, chunk, _("The chunk is there; words find it now, its meaning soon."))
    return show(request, "chunk_create", 422 if form.errors else 200, form=form, document=document)


@require_http_methods(["GET", "HEAD", "POST"])
def chunk_update(request: SignedInRequest, pk: int) -> HttpResponse:
    chunk = find_editable_chunk(request, pk)
    data = request.POST.copy() if request.method == "POST" else None
    form = ChunkEditForm(data, initial={"text": chunk.text, "seen": chunk.text})
    if data is None or not form.is_valid():
        return show(request, "chunk_update", 422 if form.errors else 200, form=form, chunk=chunk)
    try:
        chunk = editing.edit_chunk(chunk, form.cleaned_data["text"], form.cleaned_data["seen"] or None)
    except editing.StaleChunkError as error:
        data["seen"] = error.current
        return show(request, "chunk_update", 409, form=form, chunk=chunk, current=error.current)
    nudge_embedding()
    return done(request, chunk, _("Saved; words find it now, its meaning soon."))


@require_POST
def chunk_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    chunk = editing.undo_edit(find_editable_chunk(request, pk))
    nudge_embedding()
    return done(request, chunk, _("It says again what the file says."))


@require_POST
def chunk_switch(request: SignedInRequest, pk: int) -> HttpResponse:
    chunk = find_editable_chunk(request, pk)
    enabled = read_switch(request.POST, chunk.enabled)
    editing.set_chunk_enabled(chunk, enabled)
    return done(request, chunk, _("It is searched again.") if enabled else _("It is no longer searched."))


@require_POST
def chunk_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """What was cut from the file stays, for the next indexing would bring it back."""
    chunk = find_editable_chunk(request, pk)
    if chunk.is_added:
        editing.remove_added(chunk)
        messages.success(request, _("The chunk is deleted."))
    else:
        messages.error(request, _("It is a part of the file: switch it off instead."))
    return redirect("knowledge:document_detail", chunk.document_id)
