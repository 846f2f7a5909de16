"""A change of a profile file that lost what it came from: the person keeps it or takes it back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.profile_losses import find_lost_change, keep_change
from chat.views.losses import describe, find_conversation, go_back
from memories.profiles.editing import ProfileTooLongError
from memories.profiles.undoing import OverlapError, undo_change
from xiajiao.requests import SignedInRequest


@require_POST
def profile_loss_update(request: SignedInRequest, change_id: int) -> HttpResponse:
    revision = find_lost_change(request.user, change_id)
    if revision is None:
        raise Http404
    conversation, is_done = find_conversation(request, request.POST), True
    if request.POST.get("answer") == "undo":
        try:
            undone = undo_change(revision, request.user)
            said = _("It is taken back.") if undone else _("Nothing was changed: it is so already.")
        except (OverlapError, ProfileTooLongError):
            said, is_done = _("The file says something else there by now: take it back by hand, in its history."), False
    else:
        keep_change(revision)
        said = _("It is kept.")
    if not request.htmx:
        messages.add_message(request, messages.SUCCESS if is_done else messages.ERROR, said)
        return go_back(conversation)
    context = describe(request, conversation) | {"told": said, "level": "success" if is_done else "error"}
    return render(request, "chat/_source_losses.html", context)
