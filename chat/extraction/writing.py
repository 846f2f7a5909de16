"""Candidates through the write gate, each once, however often their job is taken up."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import Any

from chat.extraction.deciding import decide, opinions_of
from chat.extraction.dialogue import Dialogue, read_dialogue
from chat.extraction.outcomes import FORGOTTEN, GONE, NOTED, REFUSED, UNSAID, note, note_asked, note_decision
from chat.extraction.support import find_support
from chat.models import Conversation, ExtractionJob, Message
from memories.approval.asking import Asked, ask_to_remember
from memories.arguments import list_types
from memories.drafts import Decision, Draft, DraftError, Origin
from memories.extraction.candidates import Candidate
from memories.gate import Offer, accept, settle
from memories.indexing import Embedded, embed
from memories.judgement import normalise
from memories.models import Memory, MemoryRevision
from memories.tombstones import ForgottenError
from xiajiao.claims import record


class WithdrawnError(Exception):
    """Nothing may be remembered from this conversation any more. `reason`: see find_objection."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnsaidError(Exception):
    """What a candidate rests on was deleted or rewritten meanwhile."""


def pack(candidates: list[Candidate]) -> list[dict[str, Any]]:
    return [asdict(candidate) for candidate in candidates]


def write_all(job: ExtractionJob, dialogue: Dialogue) -> None:
    """From where the last worker got to; what a model says of doubtful pairs comes first.

    Raises LostClaimError, WithdrawnError.
    """
    decide(job, lambda: list_offers(job, dialogue))
    rows = job.candidates or []
    for row in rows[job.written :]:
        write_one(job, dialogue, Candidate(**row))


def list_offers(job: ExtractionJob, dialogue: Dialogue) -> dict[int, Offer]:
    """By their place among the candidates, those that the gate will see; asks the embedder."""
    offers = {}
    for number, row in enumerate(job.candidates or []):
        candidate = Candidate(**row)
        messages, quote = find_support(candidate, dialogue)
        if not messages or is_noted(job, messages, candidate):
            continue
        origin, agent = make_origin(job, messages), job.conversation.agent
        with suppress(DraftError):
            draft = accept(agent, make_draft(candidate, quote, messages), origin)
            offers[number] = Offer(agent, job.conversation.user_id, draft, origin, embed(draft.content))
    return offers


def write_one(job: ExtractionJob, dialogue: Dialogue, candidate: Candidate) -> None:
    """The memory and how far the job is, together. What rests on nothing, is known from here or can't be kept is passed
    over, and the job says so. Raises LostClaimError, WithdrawnError."""
    messages, quote = find_support(candidate, dialogue)
    if not messages:
        return note(job, UNSAID)
    if is_noted(job, messages, candidate):
        return note(job, NOTED)
    origin = make_origin(job, messages)
    agent = job.conversation.agent

    def check_and_note(done: Decision | Asked) -> None:
        check_standing(job, messages)
        note_asked(job, done) if isinstance(done, Asked) else note_decision(job, done)

    try:
        draft = accept(agent, make_draft(candidate, quote, messages), origin)
        embedded: Embedded | None = embed(draft.content)
        offer = Offer(agent, job.conversation.user_id, draft, origin, embedded, opinions_of(job, job.written))
        if agent.asks_before_writing:
            ask_to_remember(offer, also=check_and_note)
        else:
            settle(offer, also=check_and_note)
    except UnsaidError:
        note(job, GONE)
    except ForgottenError:
        record(job, candidates=blank(job))
        note(job, FORGOTTEN)
    except DraftError:
        note(job, REFUSED)
    return None


def blank(job: ExtractionJob) -> list[dict[str, Any]]:
    """Without the words of one that was forgotten for good."""
    empty = {"content": "", "quote": "", "subject": ""}
    return [row | empty if place == job.written else row for place, row in enumerate(job.candidates or [])]


def check_standing(job: ExtractionJob, messages: list[Message]) -> None:
    """As late as can be: a person may delete, rewrite or switch off while a model thinks.

    Raises WithdrawnError, UnsaidError.
    """
    conversation = Conversation.objects.select_related("agent").filter(pk=job.conversation_id).first()
    reason = find_objection(conversation)
    if conversation is None or reason:
        raise WithdrawnError(reason)
    standing = {message.pk for message in read_dialogue(conversation, job.upto_id).messages}
    if not standing.issuperset(message.pk for message in messages):
        raise UnsaidError


def find_objection(conversation: Conversation | None) -> str:
    """The code of why nothing may be remembered from it; empty: it may."""
    if conversation is None or conversation.deleted_at is not None:
        return "deleted"
    if conversation.mode != Conversation.Mode.NORMAL:
        return "not_remembering"
    return "" if conversation.agent.extracts else "switched_off"


def is_noted(job: ExtractionJob, messages: list[Message], candidate: Candidate) -> bool:
    """By the agent in its turn, or by an earlier extraction: said once, it counts once."""
    rows = Memory.objects.filter(conversation_id=job.conversation_id, user=job.conversation.user_id)
    ids = {message.pk for message in messages}
    texts = {normalise(memory.content) for memory in rows if ids & set(memory.message_ids)}
    return normalise(candidate.content) in texts


def make_draft(candidate: Candidate, quote: str, messages: list[Message]) -> Draft:
    """A type that there is not becomes the usual one; another person's name stands in the text."""
    known = {kind.key for kind in list_types()}
    content, metadata = candidate.content, {}
    if candidate.subject and normalise(candidate.subject) not in {"user", "the user", "用户", "我"}:
        metadata["subject"] = candidate.subject
        if normalise(candidate.subject) not in normalise(content):
            content = f"{candidate.subject}: {content}"
    return Draft(
        content=content,
        category=candidate.category,
        type_key=candidate.type_key if candidate.type_key in known else "user",
        importance=candidate.importance,
        metadata=metadata,
        quote=quote,
        said_at=messages[-1].created_at,
    )


def make_origin(job: ExtractionJob, messages: list[Message]) -> Origin:
    return Origin(
        actor=MemoryRevision.Actor.EXTRACTION,
        source=Memory.Source.EXTRACTION,
        user_id=job.conversation.user_id,
        conversation_id=job.conversation_id,
        message_ids=[message.pk for message in messages],
        extractor_model=job.model_name,
        prompt_version=job.prompt_version,
        job_id=job.pk,
    )
