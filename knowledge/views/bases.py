"""Knowledge bases: the list of them, and a base's own settings and end."""

from __future__ import annotations

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from knowledge.browsing import tally
from knowledge.changing import embed_again, requeue_all, retry_vectors
from knowledge.forms.bases import BaseForm
from knowledge.models import Document, KnowledgeBase
from knowledge.models.documents import DocumentQuerySet
from knowledge.tasks import nudge_embedding, nudge_indexing
from knowledge.views.finding import find_editable_base
from xiajiao.requests import SignedInRequest

# The sweep finds the others within seconds.
NUDGED = 100
State = Document.State


@require_GET
def base_list(request: SignedInRequest) -> HttpResponse:
    bases = list(KnowledgeBase.objects.for_user(request.user).kept().select_related("owner").prefetch_related("agents"))
    tallies = tally(bases)
    cards = [{"base": base, "tally": tallies[base.pk]} for base in bases]
    return render(request, "knowledge/base_list.html", {"cards": cards})


@require_http_methods(["GET", "HEAD", "POST"])
def base_create(request: SignedInRequest) -> HttpResponse:
    form = BaseForm(request.POST or None, user=request.user, initial={"serves_all_agents": True})
    form.instance.owner = request.user
    if request.method == "POST" and form.is_valid() and save(form):
        return redirect("knowledge:base_detail", form.instance.pk)
    return render(request, "knowledge/base_create.html", {"form": form}, status=422 if form.errors else 200)


def save(form: BaseForm) -> bool:
    """False where another tab gave the name to a base just now."""
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:
        form.add_error("name", _("There is a base of this name already."))
        return False
    return True


@require_http_methods(["GET", "HEAD", "POST"])
def base_update(request: SignedInRequest, pk: int) -> HttpResponse:
    base = find_editable_base(request, pk)
    form = BaseForm(request.POST if request.method == "POST" else None, instance=base, user=request.user)
    if request.method == "POST" and form.is_valid() and save(form):
        carry_out(request, base, form)
        return redirect("knowledge:base_detail", base.pk)
    documents = base.documents.kept().exclude(stored_as="").order_by("-pk")[:50]
    context = {"base": KnowledgeBase.objects.get(pk=pk), "form": form, "documents": documents}
    return render(request, "knowledge/base_update.html", context, status=422 if form.errors else 200)


def carry_out(request: SignedInRequest, base: KnowledgeBase, form: BaseForm) -> None:
    """What follows from the settings for the documents that are there."""
    if "embedder" in form.changed_data:
        embed_again(base)
        nudge_embedding()
    if form.recuts and "recut" in request.POST:
        count = start_again(base.documents.kept())
        messages.success(request, say_count(count))
    elif form.recuts:
        messages.success(
            request, _("Saved. Documents that are there stay as they are cut until they are indexed again.")
        )
    else:
        messages.success(request, _("Saved."))


def say_count(count: int) -> str:
    said = ngettext("%(count)s document is indexed again.", "%(count)s documents are indexed again.", count)
    return said % {"count": count}


def start_again(documents: DocumentQuerySet) -> int:
    keys = requeue_all(documents)
    for key in keys[:NUDGED]:
        nudge_indexing(key)
    return len(keys)


@require_http_methods(["GET", "HEAD", "POST"])
def base_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """The person types the name where there is something to lose."""
    base = find_editable_base(request, pk)
    found = tally([base])[base.pk]
    is_sure = not found.documents or request.POST.get("name", "").strip() == base.name
    if request.method == "POST" and is_sure:
        base.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": base.name})
        return redirect("knowledge:base_list")
    context = {"base": base, "tally": found, "is_refused": request.method == "POST"}
    return render(request, "knowledge/base_delete.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def base_retry(request: SignedInRequest, pk: int) -> HttpResponse:
    """All that failed, in reading and in embedding."""
    base = find_editable_base(request, pk)
    retry_vectors(base.documents.kept())
    count = start_again(base.documents.kept().filter(state=State.FAILED))
    nudge_embedding()
    messages.success(request, say_count(count) if count else _("It is tried again."))
    return redirect("knowledge:base_detail", base.pk)


@require_POST
def base_reindex(request: SignedInRequest, pk: int) -> HttpResponse:
    base = find_editable_base(request, pk)
    messages.success(request, say_count(start_again(base.documents.kept())))
    return redirect("knowledge:base_detail", base.pk)
