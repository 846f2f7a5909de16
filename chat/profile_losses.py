"""Changes of profile files that came from what was edited or deleted since: shown to the person, kept or taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Q, QuerySet

from chat.models import Conversation, SourceLoss
from chat.standing import find_standing
from memories.models import Agent, MemoryRevision, ProfileRevision
from memories.profiles.undoing import NotedChange, look_at
from xiajiao.models import User

Actor, Cause = MemoryRevision.Actor, SourceLoss.Cause
# Keys of a revision's `reason`: why what it came from stands no more, and that the person keeps it all the same.
LOST, KEPT = "lost", "kept"


def note_lost_changes(conversation: Conversation, before: Collection[int], cause: str) -> None:
    """After a change, in its transaction. `before`: the ids of the messages that stood until then."""
    if conversation.agent.when_source_goes == Agent.WhenSourceGoes.KEEP:
        return
    standing = find_standing(conversation)
    for revision in find_written(conversation):
        if stands(revision, before, bool(before)) and not stands(revision, standing, bool(standing)):
            mark(revision, revision.reason | {LOST: cause})


def return_changes(conversation: Conversation) -> None:
    """What was said is there again."""
    standing = find_standing(conversation)
    for revision in find_written(conversation).filter(reason__has_key=LOST):
        if stands(revision, standing, bool(standing)):
            mark(revision, {name: value for name, value in revision.reason.items() if name != LOST})


def find_written(conversation: Conversation) -> QuerySet[ProfileRevision]:
    """By the agent's tools, and the lines of days."""
    rows = ProfileRevision.objects.filter(conversation_id=conversation.pk, user=conversation.user_id)
    return rows.filter(actor__in=[Actor.AGENT, Actor.EXTRACTION])


def stands(revision: ProfileRevision, standing: Collection[int], has_any: bool) -> bool:
    """A day's line rests on the whole conversation."""
    heard = [pk for pk in (revision.message_id, revision.answer_id) if pk]
    return all(pk in standing for pk in heard) if heard else has_any


def mark(revision: ProfileRevision, reason: dict[str, object]) -> None:
    ProfileRevision.objects.filter(pk=revision.pk).update(reason=reason)


def find_lost_changes(user: User, conversation: Conversation | None = None) -> QuerySet[ProfileRevision]:
    """Those to be decided. While an answer is being written anew, what the old one wrote is not asked about."""
    rows = ProfileRevision.objects.filter(user=user, reason__has_key=LOST).exclude(reason__has_key=KEPT)
    if conversation is not None:
        rows = rows.filter(conversation_id=conversation.pk)
        if conversation.messages.unfinished().exists():
            rows = rows.exclude(reason__lost=Cause.REGENERATED)
    undone = Q(pk__in=[row.pk for row in rows if look_at(row).undoing is not None])
    return rows.exclude(undone).select_related("file__agent").order_by("-pk")


def list_lost_changes(user: User, conversation: Conversation | None, most: int) -> Sequence[NotedChange]:
    return [NotedChange(revision) for revision in find_lost_changes(user, conversation)[:most]]


def keep_change(revision: ProfileRevision) -> None:
    mark(revision, revision.reason | {KEPT: True})
