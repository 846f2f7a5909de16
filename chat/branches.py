"""The branch of a conversation that is read now: a page of it, and turning to another one."""

from __future__ import annotations

from dataclasses import dataclass

from chat.models import Conversation, Message
from chat.tree import MessageTree

PAGE = 40


@dataclass(frozen=True)
class BranchMessage:
    """A message with its place among its siblings: `position` counts from 1 to `count`."""

    message: Message
    position: int = 1
    count: int = 1
    previous_id: int | None = None
    next_id: int | None = None


@dataclass(frozen=True)
class BranchPage:
    """`older_than`: ask for the page before with it; None where this one is the first."""

    items: list[BranchMessage]
    older_than: int | None = None


def load_branch(conversation: Conversation, before: int | None = None, size: int = PAGE) -> BranchPage:
    """The last `size` messages of the branch that is read, oldest first; `before`: those above this message.

    Tool calls, recalled and remembered memories come with them, in one query each.
    """
    tree = MessageTree.of(conversation)
    path = tree.path_to(conversation.leaf_id)
    if before is not None:
        path = path[: path.index(before)] if before in path else []
    ids = path[-size:]
    rows = Message.objects.filter(pk__in=ids).prefetch_related("tool_calls", "recalled", "remembered__memory")
    messages = rows.in_bulk()
    items = [place_in_tree(tree, messages[pk]) for pk in ids if pk in messages]
    return BranchPage(items, ids[0] if len(path) > len(ids) else None)


def place_among_siblings(message: Message) -> BranchMessage:
    """One message as `load_branch` gives it."""
    siblings = Message.objects.kept().filter(conversation=message.conversation_id, parent=message.parent_id)
    pairs = list(siblings.values_list("pk", "parent_id"))
    return place_in_tree(MessageTree(pairs), message)


def place_in_tree(tree: MessageTree, message: Message) -> BranchMessage:
    siblings = tree.siblings_of(message.pk)
    index = siblings.index(message.pk)
    return BranchMessage(
        message,
        index + 1,
        len(siblings),
        siblings[index - 1] if index else None,
        siblings[index + 1] if index + 1 < len(siblings) else None,
    )


def switch_branch(message: Message) -> None:
    """Read the branch that goes through this message, down to its newest end."""
    conversation = message.conversation
    conversation.leaf_id = MessageTree.of(conversation).leaf_below(message.pk)
    conversation.save(update_fields=["leaf"])


def load_history(message: Message) -> list[Message]:
    """The finished messages above this one, oldest first, with their tool calls."""
    path = MessageTree.of(message.conversation).path_to(message.parent_id)
    messages = Message.objects.filter(pk__in=path).prefetch_related("tool_calls").in_bulk()
    return [messages[pk] for pk in path]
