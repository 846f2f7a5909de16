"""Changes of profile files that came from what was edited or deleted since: shown to the person, kept or taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from chat.models import Conversation, SourceLoss
from chat.standing import find_standing
from memories.models import Agent, MemoryRevision, ProfileRevision
from memories.profiles.undoing import leave_out_undone
from xiajiao.models import User

Actor, Cause = MemoryRevision.Actor, SourceLoss.Cause
# Keys of a revision's `reason`: why what it came from stands no more, and that the person keeps it all the same.
LOST, KEPT = "lost", "kept"


def note_lost_changes(
    conversation: Conversation, before: Collection[int], standing: Collection[int], cause: str
) -> None:
    """After a change, in its transaction: the ids of the messages that stood until then, and of those that stand."""
    if conversation.agent.when_source_goes == Agent.WhenSourceGoes.KEEP:
        return
    for revision in find_written(conversation):
        if stands(revision, before) and not stands(revision, standing):
            mark(revision, revision.reason | {LOST: cause})


def return_changes(conversation: Conversation) -> None:
    """What was said is there again."""
    standing = find_standing(conversation)
    for revision in find_written(conversation).filter(reason__has_key=LOST):
        if stands(revision, standing):
            mark(revision, {name: value for name, value in revision.reason.items() if name != LOST})


def find_written(conversation: Conversation) -> QuerySet[ProfileRevision]:
    """By the agent's tools, and the lines of days; without their texts."""
    rows = ProfileRevision.objects.filter(conversation_id=conversation.pk, user=conversation.user_id)
    return rows.filter(actor__in=[Actor.AGENT, Actor.EXTRACTION]).defer("before", "after")


def stands(revision: ProfileRevision, standing: Collection[int]) -> bool:
    """A day's line rests on the last message of the person before it; where none is named, on the conversation."""
    heard = [pk for pk in (revision.message_id, revision.answer_id) if pk]
    return all(pk in standing for pk in heard) if heard else bool(standing)


def mark(revision: ProfileRevision, reason: dict[str, object]) -> None:
    ProfileRevision.objects.filter(pk=revision.pk).update(reason=reason)


def find_lost_changes(user: User, conversation: Conversation | None = None) -> list[ProfileRevision]:
    """Those to be decided, the newest first and without their texts. While an answer is being written anew, what the
    old one wrote is not asked about."""
    rows = find_undecided(user)
    if conversation is not None:
        rows = rows.filter(conversation_id=conversation.pk)
        if conversation.messages.unfinished().exists():
            rows = rows.exclude(reason__lost=Cause.REGENERATED)
    return leave_out_undone(rows.defer("before", "after").order_by("-pk"))


def find_undecided(user: User) -> QuerySet[ProfileRevision]:
    return ProfileRevision.objects.filter(user=user, reason__has_key=LOST).exclude(reason__has_key=KEPT)


def find_lost_change(user: User, change_id: int) -> ProfileRevision | None:
    """As long as it is to be decided."""
    rows = find_undecided(user).filter(pk=change_id).select_related("file__agent")
    return next(iter(leave_out_undone(rows)), None)


@dataclass(frozen=True)
class LostChanges:
    """The newest first; `count` of all that are to be decided."""

    shown: Sequence[ProfileRevision] = ()
    count: int = 0

    @property
    def more(self) -> int:
        return self.count - len(self.shown)


def list_lost_changes(user: User, conversation: Conversation | None, most: int) -> LostChanges:
    found = find_lost_changes(user, conversation)
    rows = ProfileRevision.objects.filter(pk__in=[each.pk for each in found[:most]])
    shown = rows.defer("before", "after").select_related("file__agent").order_by("-pk")
    return LostChanges(list(shown), len(found))


def keep_change(revision: ProfileRevision) -> None:
    mark(revision, revision.reason | {KEPT: True})
