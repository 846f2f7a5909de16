"""Take conversations out of sight, and bring them back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from chat.models import Conversation
from chat.search import index_conversation, index_message, unindex_conversation


@transaction.atomic
def delete_conversation(conversation: Conversation) -> None:
    """It shows nowhere and is found no more; an answer that is being written is asked to stop."""
    now = timezone.now()
    conversation.messages.unfinished().update(stop_requested_at=now)
    Conversation.objects.filter(pk=conversation.pk).update(deleted_at=now)
    unindex_conversation(conversation)


@transaction.atomic
def restore_conversation(conversation: Conversation) -> None:
    """As it was: shown in the list and found again."""
    Conversation.objects.filter(pk=conversation.pk).update(deleted_at=None)
    index_conversation(conversation)
    for message in conversation.messages.select_related("conversation"):
        index_message(message)
