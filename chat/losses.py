"""When what was said goes away: the memories that rested on it alone, and what is done with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.utils import timezone

from chat.models import Conversation, Message, SourceLoss
from chat.models.losses import SourceLossQuerySet
from chat.profile_losses import note_lost_changes
from chat.sayings import (
    Account,
    find_former_wording,
    find_lost_rewording,
    find_said_in,
    messages_of,
    read_accounts,
)
from chat.standing import find_standing, find_standing_among
from chat.tree import MessageTree
from memories.drafts import Origin
from memories.locks import write_lock
from memories.models import Agent, Memory, MemoryRevision
from memories.withdrawing import give_back, reword, withdraw

State, Cause = SourceLoss.State, SourceLoss.Cause
Policy = Agent.WhenSourceGoes
# The column by which a memory is withdrawn, and the state of the loss then.
WITHDRAWN = {Policy.DISABLE: ("enabled", State.DISABLED), Policy.DELETE: ("deleted_at", State.DELETED)}
# What an answer may be, and what it does.
ANSWERS = {
    "keep": (None, State.KEPT),
    "disable": ("enabled", State.DISABLED),
    "delete": ("deleted_at", State.DELETED),
}


def note_losses(
    conversation: Conversation, before: Collection[int], cause: str, message: Message | None = None
) -> list[SourceLoss]:
    """After a change, in its transaction: what becomes of the memories that rested on what stands no more.

    `before`: the ids of the messages that stood until then. The agent's setting decides at once, or a question is left
    for the person. Doing it again finds nothing new.
    """
    left = find_standing(conversation)
    note_lost_changes(conversation, before, left, cause)
    policy = conversation.agent.when_source_goes
    gone = set(before) - left
    if policy == Policy.KEEP or not gone or not find_said_in(conversation).exists():
        return []
    with write_lock(conversation.agent_id, conversation.user_id):
        accounts = [each for each in read_accounts(find_said_in(conversation)) if has_lost(each, before, gone)]
        standing = find_standing_among(conversation.user_id, messages_of(accounts))
        # The newest first: what was replaced twice comes back step by step.
        return [
            noted
            for account in sorted(accounts, key=lambda each: -each.memory.pk)
            if (noted := note_loss(account, standing, begin_loss(conversation, account.memory, cause, message)))
        ]


def has_lost(account: Account, before: Collection[int], gone: Collection[int]) -> bool:
    after = set(before) - set(gone)
    return any(saying.stands(before) and not saying.stands(after) for saying in account.sayings)


def begin_loss(conversation: Conversation, memory: Memory, cause: str, message: Message | None) -> SourceLoss:
    """The open question about this memory, if there is one; else a new one, not saved."""
    loss = SourceLoss.objects.filter(memory=memory, state=State.OPEN).first() or SourceLoss(memory=memory)
    loss.user_id, loss.conversation, loss.message = conversation.user_id, conversation, message
    loss.cause, loss.created_at = cause, timezone.now()
    return loss


def note_loss(account: Account, standing: Collection[int], loss: SourceLoss) -> SourceLoss | None:
    """None where the memory still rests on something, and in the words that it has."""
    is_dependent = not account.is_vouched_for and not any(saying.stands(standing) for saying in account.sayings)
    policy = account.memory.agent.when_source_goes
    if not is_dependent:
        return put_back_wording(account, standing, loss)
    if policy in WITHDRAWN:
        column, state = WITHDRAWN[Policy(policy)]
        return settle(loss, state, withdraw(account.memory, column, by_policy(loss), loss.cause))
    loss.state, loss.was_asked = State.OPEN, True
    loss.save()
    return loss


def put_back_wording(account: Account, standing: Collection[int], loss: SourceLoss) -> SourceLoss | None:
    former = find_former_wording(account, standing)
    rewording = find_lost_rewording(account, standing)
    if not former or rewording is None:
        return None
    done = reword(account.memory, former, rewording.pk, by_policy(loss), loss.cause)
    return settle(loss, State.REWORDED, done) if done else None


def settle(loss: SourceLoss, state: str, revisions: Iterable[int] = ()) -> SourceLoss:
    loss.state, loss.revisions, loss.settled_at = state, list(revisions), timezone.now()
    loss.save()
    return loss


def by_policy(loss: SourceLoss) -> Origin:
    """Xiajiao itself, as the agent's owner has set it."""
    heard = [loss.message_id] if loss.message_id else []
    return Origin(MemoryRevision.Actor.SYSTEM, loss.memory.source, None, loss.conversation_id, heard)


def by_person(loss: SourceLoss) -> Origin:
    return Origin(MemoryRevision.Actor.PERSON, loss.memory.source, loss.user_id, loss.conversation_id)


@transaction.atomic
def answer_losses(losses: SourceLossQuerySet, answer: str) -> list[SourceLoss]:
    """Do as the person says with the memories of these open questions: keep, disable or delete. Those answered."""
    column, state = ANSWERS[answer]
    answered = []
    for loss in losses.filter(state=State.OPEN).select_related("memory__agent").order_by("-memory_id"):
        done = withdraw(loss.memory, column, by_person(loss), loss.cause) if column else []
        answered.append(settle(loss, state, done))
    return answered


@transaction.atomic
def reopen_losses(losses: SourceLossQuerySet) -> None:
    """Take answers back: the memories are as they were, and the questions open again."""
    for loss in undo_losses(losses.filter(was_asked=True).exclude(state=State.OPEN), MemoryRevision.Actor.PERSON):
        if not SourceLoss.objects.filter(memory=loss.memory_id, state=State.OPEN).exists():
            settle(loss, State.OPEN)


@transaction.atomic
def return_sources(losses: SourceLossQuerySet) -> None:
    """What was said is there again: questions need no answer, and what was done without asking is taken back."""
    settled = losses.filter(was_asked=False, state__in=[State.DISABLED, State.DELETED, State.REWORDED])
    for loss in [*undo_losses(settled, MemoryRevision.Actor.SYSTEM), *losses.filter(state=State.OPEN)]:
        settle(loss, State.RETURNED)


def undo_losses(losses: SourceLossQuerySet, actor: str) -> list[SourceLoss]:
    """What was done last is taken back first, whichever loss it belongs to."""
    found = list(losses.select_related("memory"))
    revisions = sorted(pk for loss in found for pk in loss.revisions)
    person = found[0].user_id if found and actor == MemoryRevision.Actor.PERSON else None
    give_back(revisions, Origin(actor, Memory.Source.TOOL, person))
    return found


def note_said(answer: Message, memory_ids: Collection[int]) -> None:
    """An answer has just noted these memories: questions about them are settled by that.

    Where its conversation was deleted meanwhile, they have lost their source before they were written.
    """
    conversation = Conversation.objects.select_related("agent").get(pk=answer.conversation_id)
    if answer.pk not in find_standing(conversation):
        path = MessageTree.of(conversation).path_to(answer.pk)
        note_losses(conversation, path, Cause.CONVERSATION_DELETED)
        return
    for loss in SourceLoss.objects.filter(memory__in=memory_ids, state=State.OPEN):
        settle(loss, State.SETTLED)
