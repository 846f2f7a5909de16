"""What a memory rests on: the messages in which it was said, each with the answers that noted it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from chat.models import Conversation, Message, Remembered
from memories.models import Memory, MemoryRevision
from memories.models.memories import MemoryQuerySet
from memories.revising import QUIET_COLUMNS, read_before
from memories.withdrawing import REWORDED

Action, Actor = MemoryRevision.Action, MemoryRevision.Actor
SAYING = {Action.ADDED, Action.REINFORCED, Action.IGNORED}
NOTING = {*SAYING, Action.SUPERSEDED}
# What a click in the drawer changes: it says nothing of whether the person vouches for the text.
CLICKS = {"pinned", "enabled"}


@dataclass(frozen=True)
class Saying:
    """A message in which a memory was said, and the answers that noted it; none where nobody knows which."""

    message_id: int
    answer_ids: frozenset[int] = frozenset()

    def stands(self, standing: Collection[int]) -> bool:
        is_noted = not self.answer_ids or any(pk in standing for pk in self.answer_ids)
        return is_noted and self.message_id in standing


@dataclass
class Account:
    """A memory with its revisions, the newest first, without those that were taken back."""

    memory: Memory
    revisions: list[MemoryRevision] = field(default_factory=list)
    noted: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def sayings(self) -> list[Saying]:
        """The messages that it was heard in, and those after which an agent corrected it."""
        corrected = [each.message_id for each in self.revisions if is_correction(each)]
        heard = dict.fromkeys([*self.memory.message_ids, *filter(None, corrected)])
        return [Saying(pk, frozenset(self.noted[pk])) for pk in heard]

    @property
    def is_vouched_for(self) -> bool:
        """A person wrote, edited or pinned it, or it came from elsewhere than a chat: it needs no message."""
        is_bare = not self.revisions and self.memory.source == Memory.Source.MANUAL
        return self.memory.pinned or is_bare or any(vouches(revision) for revision in self.revisions)


def vouches(revision: MemoryRevision) -> bool:
    if revision.action == Action.EDITED:
        return revision.actor == Actor.PERSON and bool(set(revision.before) - CLICKS)
    if revision.action not in SAYING or "split_from" in revision.reason:
        return False
    return revision.message_id is None


def is_correction(revision: MemoryRevision) -> bool:
    return revision.action == Action.EDITED and revision.actor == Actor.AGENT


def read_accounts(memories: Iterable[Memory]) -> list[Account]:
    accounts = {memory.pk: Account(memory) for memory in memories}
    for revision in drop_undone(MemoryRevision.objects.filter(memory__in=accounts).order_by("-pk")):
        account = accounts[revision.memory_id]
        account.revisions.append(revision)
        if revision.message_id and revision.answer_id and (revision.action in SAYING or is_correction(revision)):
            account.noted[revision.message_id].add(revision.answer_id)
    rows = Remembered.objects.filter(memory__in=accounts, action__in=NOTING)
    for row in rows.select_related("message").only("memory_id", "message__parent_id"):
        if row.message.parent_id is not None:
            accounts[row.memory_id].noted[row.message.parent_id].add(row.message_id)
    return list(accounts.values())


def drop_undone(revisions: Iterable[MemoryRevision]) -> Iterator[MemoryRevision]:
    """Without those that a later one took back, and the taking back of a wording; the newest come first."""
    undone: set[int] = set()
    for revision in revisions:
        if revision.pk in undone:
            continue
        undone.add(revision.reason.get("undone", 0))
        if REWORDED not in revision.reason:
            yield revision


def find_said_in(conversation: Conversation) -> MemoryQuerySet:
    """The person's kept memories that may rest on something in this conversation."""
    memories = Memory.objects.kept().of(conversation.agent, conversation.user_id)
    here = Q(conversation_id=conversation.pk) | Q(revisions__conversation_id=conversation.pk)
    found = memories.filter(here | Q(remembered_in__message__conversation=conversation))
    return Memory.objects.filter(pk__in=found.order_by().values("pk")).select_related("agent", "type").order_by("pk")


def find_former_wording(account: Account, standing: Collection[int]) -> dict[str, Any]:
    """The columns as they were before what was said only in messages that stand no more; empty: nothing to go back to.

    What was said or written later, and still stands, keeps its word.
    """
    former: dict[str, Any] = {}
    settled: set[str] = set()
    for revision in account.revisions:
        before = {name: value for name, value in read_before(revision).items() if name not in QUIET_COLUMNS}
        if is_rewording(revision) and not stands(revision, standing):
            former |= {name: value for name, value in before.items() if name not in settled}
        elif revision.action != Action.IGNORED:
            settled |= set(before)
        elif stands(revision, standing):
            settled |= WORDING
    return former if "content" in former else {}


def find_lost_rewording(account: Account, standing: Collection[int]) -> MemoryRevision | None:
    """The newest change of its words that was said only in messages that stand no more."""
    lost = (each for each in account.revisions if is_rewording(each) and not stands(each, standing))
    return next(lost, None)


WORDING = {"content", "title", "description", "quote"}


def is_rewording(revision: MemoryRevision) -> bool:
    return (revision.action == Action.REINFORCED or is_correction(revision)) and revision.message_id is not None


def stands(revision: MemoryRevision, standing: Collection[int]) -> bool:
    answers = frozenset([revision.answer_id] if revision.answer_id else [])
    return revision.message_id is not None and Saying(revision.message_id, answers).stands(standing)


def messages_of(accounts: Iterable[Account]) -> set[int]:
    """All messages and answers on which these memories rest."""
    sayings = [saying for account in accounts for saying in account.sayings]
    return {pk for saying in sayings for pk in (saying.message_id, *saying.answer_ids)}


def find_messages(ids: Iterable[int], user_id: int) -> dict[int, Message]:
    owned = Message.objects.filter(pk__in=set(ids), conversation__user=user_id)
    return owned.select_related("conversation__agent").in_bulk()
