"""Candidates through the write gate, each once, however often their job is taken up."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from chat.extraction.dialogue import Dialogue
from chat.extraction.support import find_support
from chat.models import ExtractionJob, Message
from memories.arguments import list_types
from memories.drafts import Draft, DraftError, Origin
from memories.extraction.candidates import Candidate
from memories.gate import Offer, accept, settle
from memories.indexing import Embedded, embed
from memories.judgement import normalise
from memories.models import Memory, MemoryRevision
from xiajiao.claims import record


def pack(candidates: list[Candidate]) -> list[dict[str, Any]]:
    return [asdict(candidate) for candidate in candidates]


def write_all(job: ExtractionJob, dialogue: Dialogue) -> None:
    """From where the last worker got to. Raises LostClaimError."""
    rows = job.candidates or []
    for number in range(job.written, len(rows)):
        write_one(job, dialogue, Candidate(**rows[number]), number + 1)


def write_one(job: ExtractionJob, dialogue: Dialogue, candidate: Candidate, number: int) -> None:
    """The memory and how far the job is, together. What rests on nothing, is known from here or can't be kept is passed
    over."""
    messages, quote = find_support(candidate, dialogue)
    if not messages or is_noted(job, messages, candidate):
        return record(job, written=number)
    origin = make_origin(job, messages)
    agent = job.conversation.agent
    try:
        draft = accept(agent, make_draft(candidate, quote, messages), origin)
        embedded: Embedded | None = embed(draft.content)
        offer = Offer(agent, job.conversation.user_id, draft, origin, embedded)
        settle(offer, also=lambda _decision: record(job, written=number))
    except DraftError:
        record(job, written=number)
    return None


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
