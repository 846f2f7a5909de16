"""The open questions about memories that lost their source, as a person sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chat.models import Conversation, SourceLoss
from chat.models.losses import SourceLossQuerySet
from chat.profile_losses import LostChanges, list_lost_changes
from xiajiao.models import User

SHOWN = 20


@dataclass(frozen=True)
class Questions:
    """The newest first. `cause`: what they all come from, empty where it differs; `more`: how many are not shown.
    `changes`: those of profile files that lost it too."""

    losses: Sequence[SourceLoss]
    count: int = 0
    cause: str = ""
    changes: LostChanges = field(default_factory=LostChanges)

    @property
    def more(self) -> int:
        return self.count - len(self.losses)


def find_open(user: User, conversation: Conversation | None = None) -> SourceLossQuerySet:
    """Of one conversation, or all. While an answer is being written anew, what the old one noted is not asked about."""
    losses = SourceLoss.objects.for_user(user).open()
    if conversation is None:
        return losses
    losses = losses.filter(conversation=conversation)
    if conversation.messages.unfinished().exists():
        losses = losses.exclude(cause=SourceLoss.Cause.REGENERATED)
    return losses


def list_questions(user: User, conversation: Conversation | None = None, most: int = SHOWN) -> Questions:
    losses = find_open(user, conversation)
    shown = list(losses.select_related("memory__agent", "memory__type", "conversation", "message__conversation")[:most])
    changes = list_lost_changes(user, conversation, most)
    if not shown:
        return Questions([], changes=changes)
    causes = set(losses.order_by().values_list("cause", flat=True).distinct())
    return Questions(shown, losses.count(), causes.pop() if len(causes) == 1 else "", changes)
