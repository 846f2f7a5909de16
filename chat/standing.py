"""Which messages of a conversation still stand: neither they nor one above them is deleted or put aside."""

from __future__ import annotations

from collections.abc import Iterable

from chat.models import Conversation, Message


def find_standing(conversation: Conversation) -> set[int]:
    """Their ids; none of a deleted conversation. What lies on the branch that is read stands, put aside once or not."""
    conversation.refresh_from_db(fields=["leaf", "deleted_at"])
    if conversation.deleted_at is not None:
        return set()
    rows = Message.objects.filter(conversation=conversation).order_by("pk")
    columns = list(rows.values_list("pk", "parent_id", "put_aside_at", "deleted_at"))
    read = find_path({pk: parent for pk, parent, *_times in columns}, conversation.leaf_id)
    standing: set[int] = set()
    for pk, parent, put_aside_at, deleted_at in columns:
        is_left = deleted_at is not None or (put_aside_at is not None and pk not in read)
        if not is_left and (parent is None or parent in standing):
            standing.add(pk)
    return standing


def find_path(parents: dict[int, int | None], leaf: int | None) -> set[int]:
    path: set[int] = set()
    while leaf in parents:
        path.add(leaf)
        leaf = parents[leaf]
    return path


def find_standing_among(user_id: int, message_ids: Iterable[int]) -> set[int]:
    """Those of these messages that stand, in whichever of the person's conversations they are."""
    ids = set(message_ids)
    owned = Message.objects.filter(pk__in=ids, conversation__user=user_id)
    conversations = Conversation.objects.filter(pk__in=owned.order_by().values("conversation_id"))
    standing = [find_standing(conversation) for conversation in conversations]
    return ids.intersection(*[set().union(*standing)]) if standing else set()
