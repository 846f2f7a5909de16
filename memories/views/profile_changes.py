"""One change of a profile file: what it did, and taking it back."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from memories.diffs import diff_words
from memories.models import ProfileRevision
from memories.profiles.editing import ProfileTooLongError
from memories.profiles.undoing import OverlapError, find_undoable, look_at, undo_change
from memories.redaction.wording import explain_secrets
from xiajiao.requests import SignedInRequest, read_number


@require_GET
def profile_change(request: SignedInRequest, pk: int) -> HttpResponse:
    """A fragment for the side drawer; a page of its own without htmx."""
    return show(request, get_object_or_404(find_changes(request), pk=pk))


@require_POST
def profile_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take back exactly this change; `shown` names the one whose drawer it was asked in."""
    undoable = find_changes(request)
    revision = get_object_or_404(undoable, pk=pk)
    named = read_number(request.POST, "shown") or pk
    shown = undoable.filter(file=revision.file, pk=named).first() or revision
    try:
        undone = undo_change(revision, request.user)
    except (OverlapError, ProfileTooLongError):
        return show(request, shown, status=409)
    said = _("It is taken back.") if shown == revision else _("It is there again.")
    said = said if undone else _("Nothing was changed: it is so already.")
    if request.htmx:
        return trigger_client_event(show(request, shown, said), "profile-changed")
    messages.success(request, said)
    return redirect("memories:profile_change", shown.pk)


def find_changes(request: SignedInRequest) -> QuerySet[ProfileRevision]:
    """What the person may take back: the history of a shared SOUL is its owner's."""
    return ProfileRevision.objects.filter(find_undoable(request.user)).select_related("file__agent", "user")


def show(request: SignedInRequest, revision: ProfileRevision, said: str = "", status: int = 200) -> HttpResponse:
    """`status` 409: it couldn't be taken back, since the file was changed there since."""
    context = {
        "change": look_at(revision),
        "revision": revision,
        "agent": revision.file.agent,
        "pieces": diff_words(revision.before, revision.after),
        "left_out": explain_secrets(revision.reason),
        "is_stale": status == 409,
        "said": said,
    }
    template = "memories/_profile_change.html" if request.htmx else "memories/profile_change.html"
    return render(request, template, context, status=status)
