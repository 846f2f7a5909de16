"""The write gate: whether a new memory is added, repeats one, says one again in other words, or replaces one.

One threshold (cosine over 0.85 means the same) destroys facts; what the judge says and why is in memories/judgement.
Whatever is decided, nothing is destroyed: each outcome leaves a revision that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from memories.creating import create, find_type
from memories.drafts import Decision, Draft, DraftError, Origin
from memories.indexing import embed
from memories.locks import write_lock
from memories.models import Agent, Memory, MemoryRevision
from memories.redaction import redact_draft
from memories.revising import Change, record, revise
from memories.tombstones import check_buried
from memories.weighing import Judgement, Offer, foresee, versions

__all__ = ["Decision", "Draft", "DraftError", "Judgement", "Offer", "Origin", "accept", "foresee", "settle", "write"]

JUDGEMENTS = 3
Action = MemoryRevision.Action


def write(agent: Agent, user_id: int | None, draft: Draft, origin: Origin) -> Decision:
    """Keep a fact, unless it is kept already. `user_id` None: for all users of the agent.

    Atomic for the agent and person: two at once make no twins. The embedder is asked before the transaction;
    where it fails, full text and the guards decide alone, and a sweep makes the vector later.
    Raises DraftError where the draft can't be kept.
    """
    draft = accept(agent, draft, origin)
    return settle(Offer(agent, user_id, draft, origin, embed(draft.content)))


def accept(agent: Agent, draft: Draft, origin: Origin) -> Draft:
    """What would be kept of it: cleaned, and without the secrets that the agent's setting names.

    Before anything is embedded or compared. Raises DraftError where nothing is left.
    """
    draft = redact_draft(draft, agent, origin).cleaned()
    find_type(draft.type_key)
    return draft


def settle(offer: Offer, also: Callable[[Decision], None] = lambda decision: None) -> Decision:
    """The second half of `write`, for a draft that was accepted and embedded before; asks no network.

    `also` is called in the transaction that writes: what it writes stands or falls with the memory.
    """
    check_buried(offer.agent.pk, offer.user_id, offer.draft, offer.origin, offer.embedded)
    for _attempt in range(JUDGEMENTS):
        judgement = foresee(offer)
        with write_lock(offer.agent.pk, offer.user_id):
            if versions(offer.find_candidates()) == judgement.seen:
                return carry_out(offer, judgement, also)
    with write_lock(offer.agent.pk, offer.user_id):
        return carry_out(offer, foresee(offer), also)


def carry_out(offer: Offer, judgement: Judgement, also: Callable[[Decision], None]) -> Decision:
    """Inside the write lock."""
    decision = act(offer, judgement)
    also(decision)
    return decision


def act(offer: Offer, judgement: Judgement) -> Decision:
    reason = judgement.verdict.reason | offer.draft.about_secrets
    if judgement.memory is None:
        return add(offer, reason)
    # As it stands now: hearing something again changes no version.
    memory = Memory.objects.select_related("agent").get(pk=judgement.memory.pk)
    match judgement.verdict.action:
        case "ignore":
            return ignore(offer, memory, reason)
        case "reinforce":
            return reinforce(offer, memory, reason)
        case _:
            return supersede(offer, memory, reason)


def add(offer: Offer, reason: dict[str, Any]) -> Decision:
    memory = create(offer.agent, offer.user_id, offer.draft, offer.origin, offer.embedded)
    record(memory, Change(Action.ADDED, offer.origin, reason))
    return Decision(Action.ADDED, memory, reason=reason)


def ignore(offer: Offer, memory: Memory, reason: dict[str, Any]) -> Decision:
    """The same text again counts as another proof, except where the same message is told twice."""
    revise(memory, another_proof(offer, memory), Change(Action.IGNORED, offer.origin, reason, offer.draft.content))
    return Decision(Action.IGNORED, memory, reason=reason)


def reinforce(offer: Offer, memory: Memory, reason: dict[str, Any]) -> Decision:
    """The newer wording becomes the content; what a person has set (pinned, importance) is never lowered.

    What was said before the memory was last changed, and is told only now, adds to it and rewords nothing.
    """
    draft = offer.draft
    is_older = draft.said_at is not None and draft.said_at < memory.updated_at
    columns = another_proof(offer, memory) | {
        "content": memory.content if is_older else draft.content,
        "title": choose(memory.title, draft.title, is_older),
        "description": choose(memory.description, draft.description, is_older),
        "tags": list(dict.fromkeys([*memory.tags, *draft.tags])),
        "metadata": memory.metadata | draft.metadata,
        "importance": max(memory.importance, draft.importance),
        "pinned": memory.pinned or draft.pinned,
        "quote": draft.quote or memory.quote,
    }
    revise(memory, columns, Change(Action.REINFORCED, offer.origin, reason, draft.content), offer.embedded)
    return Decision(Action.REINFORCED, memory, reason=reason)


def choose(here: str, offered: str, is_older: bool) -> str:
    return (here or offered) if is_older else (offered or here)


def supersede(offer: Offer, old: Memory, reason: dict[str, Any]) -> Decision:
    """Both stay: the old one ends where the new one begins."""
    draft = offer.draft
    if draft.valid_to is not None and draft.valid_to <= timezone.now():
        return add(offer, reason | {"rule": "has_ended"})
    if came_late(draft, old):
        return add_former(offer, old, reason | {"rule": "came_late"})
    decision = add(offer, reason | {"supersedes": old.pk})
    end = max(draft.valid_from or draft.said_at or timezone.now(), old.valid_from or datetime.min.replace(tzinfo=UTC))
    columns = {"valid_to": min(end, old.valid_to or end), "superseded_by_id": decision.memory.pk}
    revise(old, columns, Change(Action.SUPERSEDED, offer.origin, reason, draft.content))
    return Decision(Action.SUPERSEDED, decision.memory, old, reason)


def came_late(draft: Draft, old: Memory) -> bool:
    """Whether it held before what is known now, though it is told after it."""
    if draft.valid_from is not None and old.valid_from is not None:
        return draft.valid_from < old.valid_from
    return draft.said_at is not None and draft.said_at < (old.valid_from or old.created_at)


def add_former(offer: Offer, current: Memory, reason: dict[str, Any]) -> Decision:
    """A value that held before the one that is known: whoever arrives last does not win by that."""
    decision = add(offer, reason)
    columns = {"valid_to": current.valid_from or current.created_at, "superseded_by_id": current.pk}
    revise(decision.memory, columns, Change(Action.SUPERSEDED, offer.origin, reason))
    return decision


def another_proof(offer: Offer, memory: Memory) -> dict[str, Any]:
    """The same message told twice (a tool call repeated after a crash) is no further proof."""
    heard = list(offer.origin.message_ids)
    if heard and set(heard) <= set(memory.message_ids):
        return {}
    message_ids = list(dict.fromkeys([*memory.message_ids, *heard]))
    return {"proof_count": memory.proof_count + 1, "message_ids": message_ids}
