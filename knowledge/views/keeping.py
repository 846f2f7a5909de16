"""A file of a conversation, kept in a base."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from knowledge.adding import Added
from knowledge.attaching import keep_in
from knowledge.forms.keeping import KeepForm
from knowledge.models import KnowledgeBase
from knowledge.tasks import nudge_indexing
from knowledge.views.document_changes import announce
from knowledge.views.finding import find_editable_document, show
from xiajiao.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
def document_keep(request: SignedInRequest, pk: int) -> HttpResponse:
    document = find_editable_document(request, pk)
    form = KeepForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method != "POST" or not form.is_valid():
        return show(request, "document_keep", 422 if form.errors else 200, form=form, document=document)
    base = form.find_base()
    try:
        added = keep_in(base, document, request.user)
    except FileNotFoundError:
        raise Http404 from None
    if added.is_due:
        nudge_indexing(added.document.pk)
    return answer(request, base, say(base, added))


def say(base: KnowledgeBase, added: Added) -> str:
    names = {"name": f"\u2068{added.document.name}\u2069", "base": f"\u2068{base.name}\u2069"}
    if added.is_due:
        return _("%(name)s is being read into %(base)s.") % names
    return _("%(name)s is in %(base)s already.") % names


def answer(request: SignedInRequest, base: KnowledgeBase, said: str) -> HttpResponse:
    """The dialog closes, for nothing comes into it."""
    if not request.htmx:
        messages.success(request, said)
        return redirect("knowledge:base_detail", base.pk)
    response = announce(request, said)
    response["HX-Retarget"], response["HX-Reswap"] = "#toasts", "beforeend"
    return response
