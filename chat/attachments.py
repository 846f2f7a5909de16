"""The files of a conversation as its page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Conversation, Message
from knowledge.attaching import find_attached
from knowledge.models import Document

# Beside the composer; all of them stand in the list.
SHOWN = 6


@dataclass(frozen=True)
class Attachments:
    """`new`: what came since the last message, or is not as one would have it."""

    documents: Sequence[Document]
    new: Sequence[Document]
    is_pending: bool

    @property
    def shown(self) -> Sequence[Document]:
        return self.new[-SHOWN:]

    @property
    def is_more(self) -> bool:
        return len(self.documents) > len(self.shown)


def list_attachments(conversation: Conversation) -> Attachments:
    documents = list(find_attached(conversation.pk))
    said = conversation.messages.kept().filter(role=Message.Role.USER).order_by("-created_at").first()
    new = [each for each in documents if said is None or each.created_at > said.created_at or each.is_running]
    return Attachments(documents, new, any(is_pending(each) for each in documents))


def is_pending(document: Document) -> bool:
    """Whether there will be news of it."""
    index = getattr(document, "semantic_index", None)
    return document.is_running or (index is not None and index.is_running)
