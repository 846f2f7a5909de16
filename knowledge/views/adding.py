"""Files and web pages for a base. The answer comes at once; all else is a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from knowledge.adding import Added, Offer, Outcome, Wish, add_document, add_webpage
from knowledge.changing import requeue
from knowledge.forms.documents import UploadForm, WebpageForm, find_fault, find_fault_of_all, find_fault_of_text
from knowledge.models import KnowledgeBase
from knowledge.tasks import nudge_indexing
from knowledge.views.documents import show_base
from knowledge.views.finding import find_editable_base
from xiajiao.requests import SignedInRequest
from xiajiao.storage import is_full

# Of many files that can't be taken, so many are named.
NAMED = 5


@require_POST
def document_create(request: SignedInRequest, pk: int) -> HttpResponse:
    """Many files of a plain form, or one at a time from js/uploading.js, which asks for a fragment."""
    base = find_editable_base(request, pk)
    form = UploadForm(request.POST)
    files = request.FILES.getlist("file")
    wrong = [str(error) for errors in form.errors.values() for error in errors]
    fault = " ".join(wrong) or find_fault_of_all(files)
    if "fragment" in request.POST:
        return answer_one(request, base, form, fault or find_fault(files[0]))
    if fault:
        messages.error(request, fault)
    else:
        tell(request, [(file, *receive(request, base, file, form.wish)) for file in files])
    return redirect("knowledge:base_detail", base.pk)


def answer_one(request: SignedInRequest, base: KnowledgeBase, form: UploadForm, fault: str) -> HttpResponse:
    """201, or what stands in the way, with the ways on."""
    if not fault:
        file = request.FILES.getlist("file")[0]
        fault, added = receive(request, base, file, form.wish, form.cleaned_data["name"])
        if added is not None:
            status = 201 if added.is_due else 409
            return render(request, "knowledge/_upload_outcome.html", {"added": added}, status=status)
    return render(request, "knowledge/_upload_outcome.html", {"fault": fault}, status=422)


def receive(
    request: SignedInRequest, base: KnowledgeBase, file: UploadedFile, wish: Wish, name: str = ""
) -> tuple[str, Added | None]:
    """What is wrong with it, or what became of it."""
    name = name or file.name or ""
    fault = find_fault(file) or find_fault_of_text(file, name)
    if fault:
        return fault, None
    try:
        added = keep(base, file, Offer(Path(), name, "", request.user, file.content_type or ""), wish)
    except OSError as error:
        if not is_full(error):
            raise
        return _("The disk is full. Make room on it, then upload the file again."), None
    if added.is_due:
        nudge_indexing(added.document.pk)
    return "", added


def keep(base: KnowledgeBase, file: UploadedFile, offer: Offer, wish: Wish) -> Added:
    """A large file lies on the disk already and is moved; a small one is written once."""
    if isinstance(file, TemporaryUploadedFile):
        return add_document(base, replace(offer, path=Path(file.temporary_file_path()), is_moved=True), wish)
    with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
        for piece in file.chunks():
            spool.write(piece)
        spool.flush()
        return add_document(base, replace(offer, path=Path(spool.name)), wish)


def tell(request: SignedInRequest, results: Sequence[tuple[UploadedFile, str, Added | None]]) -> None:
    """One message of what came in, and one of what didn't."""
    count = sum(added is not None and added.is_due for _file, _fault, added in results)
    if count:
        said = ngettext("%(count)s file is being read.", "%(count)s files are being read.", count)
        messages.success(request, said % {"count": count})
    left = [say(file, fault, added) for file, fault, added in results if added is None or not added.is_due]
    if left:
        more = _("And %(count)s more.") % {"count": len(left) - NAMED} if len(left) > NAMED else ""
        messages.warning(request, " ".join(filter(None, [*left[:NAMED], more])))


def say(file: UploadedFile, fault: str, added: Added | None) -> str:
    """Names go in isolates: one that is written from the right leaves the sentence as it is."""
    name = f"\u2068{file.name}\u2069"
    if added is None:
        return f"{name}: {fault}"
    names = {"name": name, "other": f"\u2068{added.document.name}\u2069"}
    if added.outcome == Outcome.TAKEN:
        return _("%(name)s: another document is called so; choose what to do where a name is taken.") % names
    return _("%(name)s is here already, as %(other)s.") % names


@require_POST
def webpage_create(request: SignedInRequest, pk: int) -> HttpResponse:
    """One that is here already is fetched anew."""
    base = find_editable_base(request, pk)
    form = WebpageForm(request.POST)
    if not form.is_valid():
        return show_base(request, base, 422, webpage=form)
    added = add_webpage(base, form.cleaned_data["url"], request.user)
    if added.outcome == Outcome.TAKEN:
        requeue(added.document, wants_fetch=True)
        messages.success(request, _("The page is here already; it is fetched anew."))
    nudge_indexing(added.document.pk)
    return redirect("knowledge:base_detail", base.pk)
