"""What a conversation was told of the profile files when it began, and telling it anew."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.models import Conversation
from chat.profiles import read_profile, refresh_profile
from chat.sending import has_begun
from chat.views.conversations import find_conversation
from memories.diffs import diff_words
from xiajiao.requests import SignedInRequest


@require_GET
def snapshot_detail(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """A fragment for the side drawer; a page of its own without htmx."""
    return show(request, find_conversation(request, conversation_id))


@require_POST
def snapshot_update(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    """As the files are now, from the next answer on."""
    conversation = find_conversation(request, conversation_id)
    refresh_profile(conversation)
    said = _("The next answer knows the files as they are now.")
    if request.htmx:
        return show(request, conversation, said)
    messages.success(request, said)
    return redirect("chat:snapshot_detail", conversation.pk)


def show(request: SignedInRequest, conversation: Conversation, said: str = "") -> HttpResponse:
    told, current = conversation.profile_text, read_profile(conversation)
    context = {
        "conversation": conversation,
        "has_begun": has_begun(conversation),
        "current": current,
        "pieces": None if told in {None, current} else diff_words(told or "", current),
        "said": said,
    }
    template = "chat/_snapshot_detail.html" if request.htmx else "chat/snapshot_detail.html"
    return render(request, template, context)
