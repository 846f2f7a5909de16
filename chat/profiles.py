"""What a conversation is told of the profile files: as they were when it began, until a person refreshes it."""

from __future__ import annotations

import logging

from django.utils import timezone

from chat.models import Conversation
from memories.profiles.snapshot import forget_person, render_profile, take_snapshot

logger = logging.getLogger(__name__)


def freeze_profile(conversation: Conversation) -> str:
    """Read once. Never raises: a chat doesn't fail because of its files."""
    if conversation.profile_text is None:
        try:
            refresh_profile(conversation)
        except Exception:
            logger.exception("The profile files for conversation %s were not read", conversation.pk)
    return conversation.profile_text or ""


def refresh_profile(conversation: Conversation) -> None:
    """As the files are now."""
    conversation.profile_text = read_profile(conversation)
    conversation.profile_at = timezone.now()
    conversation.save(update_fields=["profile_text", "profile_at"])


def read_profile(conversation: Conversation) -> str:
    """What it would be told now. A temporary conversation knows who the agent is, and nothing of the person."""
    snapshot = take_snapshot(conversation.agent, conversation.user_id)
    if conversation.mode == Conversation.Mode.TEMPORARY:
        snapshot = forget_person(snapshot)
    return render_profile(snapshot, conversation.agent.language)
