"""Have what a person agreed to forgotten, one memory after another; each goes together with the line of the receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from chat.extraction.places import with_lines
from chat.forgetting.proposing import read_topic
from chat.forgetting.removing import Amount, describe, find_last_message, remove, remove_outside
from chat.models import Forgetting, Message, ToolCall
from chat.scrubbing import ARGUMENTS, MARK
from memories.models import Memory
from memories.places import find_wordings
from memories.topics import find_exact, list_scopes
from xiajiao import claims
from xiajiao.claims import LostClaimError, end, record
from xiajiao.models import User
from xiajiao.places import Forgotten, Kind, all_places, strike
from xiajiao.secrets import encrypt

# So many go while the person waits for the page; more are left to a worker.
AT_ONCE = 10
# Errors without any progress between them.
MOST_ATTEMPTS = 5
FILES = {"profile_files", "profile_revisions", "profile_prompts", "snapshots"}
# What is made of a message goes with it.
OF_MESSAGES = {"messages", "extractions", "pending", *FILES}
# Where a topic stands in agents' files, and in what was read of them.
OF_FILES = {*FILES, "profile_calls"}
# What is kept for all agents together.
OF_ALL_AGENTS = {"imports", "exports", "searches"}
State = Forgetting.State


@dataclass(frozen=True)
class Topic:
    """What the person called it. `agent_id`: with this agent alone. `spares_files`: what files say of it stays."""

    words: str = ""
    agent_id: int | None = None
    spares_files: bool = False


def begin(
    user: User, memory_ids: Iterable[int], message_ids: Iterable[int] = (), left: int = 0, topic: Topic | None = None
) -> Forgetting:
    """The person has agreed; of what is not theirs to forget nothing is taken along.

    `left`: so many messages that say it stay.
    """
    topic = topic or Topic()
    columns = {"agent_number": topic.agent_id, "spares_files": topic.spares_files}
    return agree(Forgetting(user=user, topic=encrypt(topic.words), **columns), memory_ids, message_ids, left)


@transaction.atomic
def agree(
    forgetting: Forgetting, memory_ids: Iterable[int], message_ids: Iterable[int] = (), left: int = 0
) -> Forgetting:
    """With these memories, in the place of those that were proposed; the row as it stands where it no longer is."""
    if forgetting.pk is not None and not take_up(forgetting):
        forgetting.refresh_from_db()
        return forgetting
    editable = set(
        Memory.objects.editable_by(forgetting.user).filter(pk__in=list(memory_ids)).values_list("pk", flat=True)
    )
    own = Message.objects.filter(conversation__user=forgetting.user, removed_at__isnull=True)
    forgetting.memory_ids = sorted(editable)
    forgetting.message_ids = sorted(own.filter(pk__in=list(message_ids)).values_list("pk", flat=True))
    forgetting.total, forgetting.done, forgetting.messages_left = len(editable), 0, left
    forgetting.state, forgetting.created_at = State.PENDING, timezone.now()
    forgetting.save()
    return forgetting


def take_up(forgetting: Forgetting) -> bool:
    """False where another page agreed to it or turned it down meanwhile."""
    proposed = Forgetting.objects.filter(pk=forgetting.pk, state=State.PROPOSED)
    return bool(proposed.update(state=State.PENDING))


def claim(forgetting_id: int) -> Forgetting | None:
    """Take one that waits or was left by a worker that died; None where another run has it or it is over."""
    forgetting = Forgetting.objects.filter(pk=forgetting_id).first()
    return None if forgetting is None else claims.claim(forgetting, state=State.RUNNING)


def run(forgetting: Forgetting) -> None:
    """All that is left of a claimed one. Raises LostClaimError."""
    remove_messages(forgetting)
    while forgetting.done < len(forgetting.memory_ids):
        pk = forgetting.memory_ids[forgetting.done]
        memory = Memory.objects.select_related("agent").filter(pk=pk).first()
        if memory is None:
            note(forgetting, [], memories=1)
        else:
            forget_one(forgetting, memory)
    finish(forgetting)


def forget_one(forgetting: Forgetting, memory: Memory) -> None:
    forgotten = describe(memory)
    remove(memory, forgotten, lambda amounts: note(forgetting, amounts, memories=1), list_spared(forgetting))
    # The person's own caches are emptied once, at the end.
    if memory.user_id != forgetting.user_id:
        note(forgetting, remove_outside(forgotten))


@transaction.atomic
def remove_messages(forgetting: Forgetting) -> None:
    """Those that were ticked, and titles that say one of the memories."""
    memories = Memory.objects.filter(pk__in=forgetting.memory_ids).prefetch_related("revisions")
    wordings = tuple(wording for memory in memories for wording in find_wordings(memory))
    messages, newest = frozenset(forgetting.message_ids), find_last_message()
    forgotten = with_lines(Forgotten(0, 0, forgetting.user_id, wordings, messages, last_message_id=newest))
    places = [place for place in all_places() if place.key in OF_MESSAGES - list_spared(forgetting)]
    note(forgetting, [Amount(place, place.scrub(forgotten)) for place in places])


def finish(forgetting: Forgetting) -> None:
    """What the agent proposed it with, the person's own word for it and the caches go last."""
    topic, agent_id = read_topic(forgetting), forgetting.agent_number
    amounts = remove_outside(Forgotten(0, 0, forgetting.user_id, ()))
    with transaction.atomic():
        calls = ToolCall.objects.filter(message=forgetting.answer_id, name="memory_forget")
        calls.update(arguments=ARGUMENTS, result=MARK)
        if topic and not find_exact(list_scopes(forgetting.user, agent_id), topic):
            newest = find_last_message()
            told = Forgotten(0, agent_id or 0, forgetting.user_id, (topic,), last_message_id=newest, kind=Kind.TOPIC)
            spared = list_spared(forgetting)
            if agent_id and find_exact(list_scopes(forgetting.user), topic):
                spared |= OF_ALL_AGENTS
            struck = strike(told, spared)
            amounts += [Amount(place, struck[place.key]) for place in all_places() if struck.get(place.key)]
        note(forgetting, amounts)
        end(forgetting, State.DONE, topic="", memory_ids=[], message_ids=[], error="")
    forgetting.refresh_from_db()


def list_spared(forgetting: Forgetting) -> set[str]:
    """Keys of the places that the person did not tick."""
    return set(OF_FILES) if forgetting.spares_files else set()


def note(forgetting: Forgetting, amounts: Sequence[Amount], memories: int = 0) -> None:
    """In the transaction that removed it. Raises LostClaimError, which takes that back."""
    removed = dict(forgetting.removed)
    for amount in amounts:
        removed[amount.place.key] = removed.get(amount.place.key, 0) + amount.count
    record(forgetting, removed=removed, done=forgetting.done + memories, attempts=0)


def give_up(forgetting: Forgetting, error: Exception) -> None:
    """After an error: the sweep starts it again, unless that has been in vain too often."""
    attempts, words = forgetting.attempts + 1, type(error).__name__
    with suppress(LostClaimError):
        if attempts >= MOST_ATTEMPTS:
            end(forgetting, State.FAILED, error=words, attempts=attempts)
        else:
            record(forgetting, claim="", error=words, attempts=attempts)


def try_again(forgetting: Forgetting) -> None:
    """One that failed does what is left of it."""
    failed = Forgetting.objects.filter(pk=forgetting.pk, state=State.FAILED)
    failed.update(state=State.PENDING, claim="", finished_at=None, attempts=0, error="")
