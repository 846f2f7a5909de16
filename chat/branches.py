"""The branch of a conversation that is read now: a page of it, and turning to another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from chat.models import Conversation, Message
from chat.tree import MessageTree
from chat.waiting import find_waiting, follow
from memories.models import PendingWrite
from memories.profiles.undoing import NotedChange, list_noted

PAGE = 40
# Messages that are shown above the one that a page is opened at.
ABOVE = 10


@dataclass(frozen=True)
class BranchMessage:
    """A message with its place among its siblings: `position` counts from 1 to `count`.

    `noted`: what the turn of an answer did to profile files. `waiting`: what is to be approved under it.
    """

    message: Message
    position: int = 1
    count: int = 1
    previous_id: int | None = None
    next_id: int | None = None
    noted: Sequence[NotedChange] = ()
    waiting: Sequence[PendingWrite] = ()


@dataclass(frozen=True)
class BranchPage:
    """`older_than`, `newer_than`: ask for the page before and after with it; None where there is none."""

    items: list[BranchMessage]
    older_than: int | None = None
    newer_than: int | None = None


@dataclass(frozen=True)
class Span:
    """Which part of a branch: what stands above a message, below it, or around it; none of them: its end."""

    before: int | None = None
    after: int | None = None
    around: int | None = None


END = Span()


def load_branch(conversation: Conversation, span: Span = END) -> BranchPage:
    """At most PAGE messages of the branch that is read, oldest first.

    Tool calls, recalled and remembered memories come with them, in one query each.
    """
    tree = MessageTree.of(conversation)
    path = tree.path_to(conversation.leaf_id)
    start, end = choose_part(path, span)
    ids = path[start:end]
    rows = Message.objects.filter(pk__in=ids).prefetch_related(
        "tool_calls", "recalled", "remembered__memory", "remembered__tool_call", "forgettings", "sources", "attached"
    )
    messages = rows.in_bulk()
    items = attach([place_in_tree(tree, messages[pk]) for pk in ids if pk in messages])
    return BranchPage(items, ids[0] if ids and start else None, ids[-1] if ids and end < len(path) else None)


def choose_part(path: list[int], span: Span) -> tuple[int, int]:
    """From and to; nothing where the message isn't on the branch any more."""
    if span.before is not None:
        end = path.index(span.before) if span.before in path else 0
        return max(0, end - PAGE), end
    if span.after is not None:
        start = path.index(span.after) + 1 if span.after in path else len(path)
        return start, min(len(path), start + PAGE)
    start = max(0, len(path) - PAGE)
    if span.around in path:
        start = max(0, min(start, path.index(span.around) - ABOVE))
    return start, min(len(path), start + PAGE)


def place_among_siblings(message: Message) -> BranchMessage:
    """One message as `load_branch` gives it."""
    siblings = Message.objects.kept().filter(conversation=message.conversation_id, parent=message.parent_id)
    pairs = list(siblings.values_list("pk", "parent_id"))
    return attach([place_in_tree(MessageTree(pairs), message)])[0]


def attach(items: Iterable[BranchMessage]) -> list[BranchMessage]:
    """What answers did to profile files, and what waits under them: one look for all of them."""
    placed = {item.message.pk: item for item in items}
    noted, waiting = list_noted(placed), find_waiting([item.message for item in placed.values()])
    return [replace(item, noted=noted.get(pk, ()), waiting=waiting.get(pk, ())) for pk, item in placed.items()]


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
    """Read the branch that goes through this message, down to its newest end; where it is read already, leave it."""
    conversation = message.conversation
    conversation.refresh_from_db(fields=["leaf"])
    tree = MessageTree.of(conversation)
    if message.pk in tree.path_to(conversation.leaf_id):
        return
    conversation.leaf_id = tree.leaf_below(message.pk)
    with transaction.atomic():
        conversation.save(update_fields=["leaf"])
        follow(conversation)


def load_history(message: Message) -> list[Message]:
    """The finished messages above this one, oldest first, with their tool calls."""
    path = MessageTree.of(message.conversation).path_to(message.parent_id)
    messages = Message.objects.filter(pk__in=path).prefetch_related("tool_calls").in_bulk()
    return [messages[pk] for pk in path]
