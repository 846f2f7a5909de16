"""Take conversations and messages out of sight, bring them back, and remove them for good when nobody may any more."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.utils import timezone

from chat.losses import note_losses, return_sources
from chat.models import Conversation, Message, SourceLoss
from chat.profile_losses import return_changes
from chat.search import index_conversation, index_message, unindex_conversation, unindex_messages
from chat.sending import SendError, lock
from chat.standing import find_standing
from chat.stream import discard_streams
from chat.tree import MessageTree
from chat.waiting import follow
from knowledge.attaching import hide_attached, show_attached
from memories.approval.following import drop_of_message
from memories.changes import UNDO_TIME

Cause = SourceLoss.Cause
# Rows in one run of the sweep.
MOST = 500


@transaction.atomic
def delete_conversation(conversation: Conversation) -> list[SourceLoss]:
    """It shows nowhere and is found no more; an answer that is being written is asked to stop.

    Returns what became of the memories that came from it alone.
    """
    conversation = lock(conversation)
    if conversation.deleted_at is not None:
        return []
    now, standing = timezone.now(), find_standing(conversation)
    conversation.messages.unfinished().update(stop_requested_at=now)
    Conversation.objects.filter(pk=conversation.pk).update(deleted_at=now)
    unindex_conversation(conversation)
    hide_attached(conversation.pk)
    follow(conversation)
    return note_losses(conversation, standing, Cause.CONVERSATION_DELETED)


@transaction.atomic
def restore_conversation(conversation: Conversation) -> None:
    """As it was: shown in the list and found again, and what was remembered from it alone is there again."""
    conversation = lock(conversation)
    if conversation.deleted_at is None:
        return
    Conversation.objects.filter(pk=conversation.pk).update(deleted_at=None)
    index_conversation(conversation)
    show_attached(conversation.pk)
    for message in conversation.messages.kept().select_related("conversation"):
        index_message(message)
    follow(conversation)
    return_sources(SourceLoss.objects.filter(conversation=conversation, cause=Cause.CONVERSATION_DELETED))
    return_changes(conversation)


@transaction.atomic
def delete_message(message: Message) -> list[SourceLoss]:
    """With all that stands below it; its siblings stay. Raises SendError "busy" while an answer is being written.

    Where it was read, the nearest sibling is read now, or else what stood above. Returns what became of the memories
    that came from it alone.
    """
    conversation = lock(message.conversation)
    tree, standing = MessageTree.of(conversation), find_standing(conversation)
    if message.pk not in tree.parents:
        return []
    if conversation.messages.unfinished().exists():
        raise SendError("busy")
    gone = tree.below(message.pk)
    if message.pk in tree.path_to(conversation.leaf_id):
        conversation.leaf_id = find_next_leaf(tree, message.pk)
        conversation.save(update_fields=["leaf"])
    Message.objects.filter(pk__in=gone).update(deleted_at=timezone.now())
    unindex_messages(conversation.user_id, gone)
    follow(conversation)
    return note_losses(conversation, standing, Cause.DELETED, message)


def find_next_leaf(tree: MessageTree, message_id: int) -> int | None:
    """The end of the branch that is read without this message."""
    siblings = tree.siblings_of(message_id)
    place = siblings.index(message_id)
    nearest = siblings[place - 1] if place else next(iter(siblings[1:]), None)
    return tree.parents[message_id] if nearest is None else tree.leaf_below(nearest)


@transaction.atomic
def restore_message(message: Message) -> None:
    """With all that was deleted together with it, and what it stands on.

    It is read again, and what was remembered from it alone is there again.
    """
    conversation = lock(message.conversation)
    message.refresh_from_db(fields=["deleted_at"])
    if message.deleted_at is None:
        return
    together = Message.objects.filter(conversation=conversation, deleted_at=message.deleted_at)
    if message.parent is not None and message.parent.deleted_at is not None:
        restore_message(message.parent)
    restored = list(together.select_related("conversation"))
    together.update(deleted_at=None)
    for each in restored:
        index_message(each)
    tree = MessageTree.of(conversation)
    conversation.leaf_id = tree.leaf_below(message.pk)
    conversation.save(update_fields=["leaf"])
    follow(conversation)
    return_sources(SourceLoss.objects.filter(message=message, cause=Cause.DELETED))
    return_changes(conversation)


def purge() -> int:
    """Remove conversations and messages whose time to be brought back is over; how many they were."""
    end = timezone.now() - UNDO_TIME
    purged = 0
    for conversation in Conversation.objects.filter(deleted_at__lt=end).order_by("deleted_at")[:MOST]:
        purged += purge_one(Conversation.objects.filter(pk=conversation.pk, deleted_at__lt=end))
    # Those on top first: what stands below goes with them.
    for message in Message.objects.filter(deleted_at__lt=end).order_by("pk")[:MOST]:
        if purge_one(Message.objects.filter(pk=message.pk, deleted_at__lt=end)):
            drop_of_message(message.pk)
            purged += 1
    return purged


def purge_temporary() -> int:
    """Remove temporary conversations whose time is over, for good and at once; how many they were.

    One in which an answer is being written waits for the next sweep.
    """
    purged = 0
    for conversation in Conversation.objects.expired().order_by("updated_at")[:MOST]:
        if conversation.messages.unfinished().exists():
            continue
        answers = list(conversation.messages.order_by().values_list("pk", flat=True))
        if purge_one(Conversation.objects.expired().filter(pk=conversation.pk)):
            purged += 1
            discard_streams(answers)
    return purged


@transaction.atomic
def purge_one(rows: models.QuerySet[Any]) -> int:
    """Brought back a moment ago, it stays: the row is asked again, and held."""
    row = rows.select_for_update().first()
    if row is None:
        return 0
    row.delete()
    return 1
