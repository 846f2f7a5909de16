"""Delete one message with what stands below it, and bring it back."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.deletion import delete_message, restore_message
from chat.interruption import mark_interrupted
from chat.models import Message
from chat.sending import SendError
from chat.templatetags.chat import address
from chat.views.turns import refuse, show_thread
from xiajiao.requests import SignedInRequest


@require_POST
def message_delete(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Refused while an answer is being written in the conversation."""
    messages = Message.objects.for_user(request.user).select_related("conversation__agent")
    message = get_object_or_404(messages, pk=message_id)
    mark_interrupted()
    try:
        delete_message(message)
    except SendError as error:
        return refuse(request, error)
    undo = reverse("chat:message_restore", args=[message.pk])
    return show_thread(request, message.conversation, said=_("The message is deleted."), undo=undo)


@require_POST
def message_restore(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Undo a deletion, as long as the row is there."""
    deleted = Message.objects.filter(deleted_at__isnull=False, conversation__deleted_at__isnull=True)
    owned = deleted.filter(conversation__user=request.user).select_related("conversation", "parent__conversation")
    message = get_object_or_404(owned, pk=message_id)
    restore_message(message)
    return redirect(address(message))
