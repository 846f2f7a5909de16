"""The messages of a conversation as a tree, held as plain ids: 2,000 of them are read in one query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from chat.models import Conversation


class MessageTree:
    """`parents` by id, `children` by parent in the order in which they were made."""

    def __init__(self, pairs: Iterable[tuple[int, int | None]]) -> None:
        self.parents = dict(pairs)
        self.children: dict[int | None, list[int]] = defaultdict(list)
        for message_id, parent_id in sorted(self.parents.items()):
            self.children[parent_id].append(message_id)

    @classmethod
    def of(cls, conversation: Conversation) -> MessageTree:
        return cls(conversation.messages.kept().order_by().values_list("pk", "parent_id"))

    def path_to(self, message_id: int | None) -> list[int]:
        """From the first message down to this one; none of them for None or an unknown id."""
        path = []
        while message_id in self.parents:
            path.append(message_id)
            message_id = self.parents[message_id]
        return path[::-1]

    def siblings_of(self, message_id: int) -> list[int]:
        """Itself included, the eldest first."""
        return self.children[self.parents[message_id]]

    def below(self, message_id: int) -> list[int]:
        """This message and all that stand below it, on whatever branch."""
        found = [message_id]
        for each in found:
            found += self.children.get(each, [])
        return found

    def leaf_below(self, message_id: int) -> int:
        """The end of the branch that is read when one turns to this message: its newest descendants."""
        while self.children.get(message_id):
            message_id = self.children[message_id][-1]
        return message_id
