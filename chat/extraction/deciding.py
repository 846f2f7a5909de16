"""Pairs that the gate is in doubt of, put to the agent's model: in one call, before anything is written.

What it says is kept with the job. A model that is away, slow or says nothing that can be read is no failure: the gate
decides alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from chat.extraction.proposing import RULES
from chat.models import ExtractionJob
from memories.extraction.deciding import DoubtfulPair, make_deciding_format, read_answers, render_deciding_prompt
from memories.gate import Offer
from memories.models import Memory
from memories.opinions import Opinion
from memories.weighing import as_statement, find_doubtful
from xiajiao.claims import record
from xiajiao.llm import stream_reply
from xiajiao.llm.base import ChatRequest, ModelError, ModelSource, TextDelta
from xiajiao.llm.sources import is_offline, source_for

logger = logging.getLogger(__name__)

# Pairs of one job; the nearest of each draft first.
MOST_PAIRS = 12
# Seconds for the whole reply, and its length.
LONGEST_WAIT, LONGEST_REPLY_TOKENS = 60.0, 600


@dataclass(frozen=True)
class Nomination:
    """A draft, by its place among the job's candidates, and a memory near it."""

    number: int
    offer: Offer
    memory: Memory


def decide(job: ExtractionJob, list_offers: Callable[[], Mapping[int, Offer]]) -> None:
    """Ask once in a job's life, however often it is taken up, and not where rules proposed. Raises LostClaimError."""
    if job.verdicts is not None or job.model_name == RULES:
        return
    agent = job.conversation.agent
    source = source_for(agent.provider, agent.model_name)
    nominated = [] if is_offline(source) else nominate(list_offers())
    record(job, verdicts=ask(source, nominated, agent.language) if nominated else {})


def nominate(offers: Mapping[int, Offer]) -> list[Nomination]:
    """The nearest memory of each draft before the second one of any."""
    ranked = [
        (rank, Nomination(number, offer, memory))
        for number, offer in offers.items()
        for rank, memory in enumerate(find_doubtful(offer))
    ]
    return [each for _rank, each in sorted(ranked, key=lambda pair: pair[0])][:MOST_PAIRS]


def ask(source: ModelSource, nominated: Sequence[Nomination], language: str) -> dict[str, Any]:
    """Never raises for a model; `problem` says what was amiss."""
    prompt = render_deciding_prompt([as_pair(each) for each in nominated], language)
    try:
        answers = read_answers(complete_within(source, prompt), len(nominated))
    except ModelError as error:
        logger.warning("The gate decides alone: %s", error)
        return {"model": source.model, "problem": error.code, "pairs": []}
    pairs = [
        {"number": each.number, "memory": each.memory.pk, "version": each.memory.version, "answer": answers[place]}
        for place, each in enumerate(nominated, 1)
        if place in answers
    ]
    return {"model": source.model, "problem": "" if pairs else "unreadable", "pairs": pairs}


def complete_within(source: ModelSource, prompt: str) -> str:
    """What was said in LONGEST_WAIT. Raises ModelError."""
    request = ChatRequest(
        [{"role": "user", "content": prompt}],
        temperature=0,
        max_tokens=LONGEST_REPLY_TOKENS,
        response_format=make_deciding_format(),
    )
    until, pieces = time.monotonic() + LONGEST_WAIT, []
    with closing(stream_reply(source, request)) as events:
        for event in events:
            pieces.append(event.text if isinstance(event, TextDelta) else "")
            if time.monotonic() > until:
                break
    return "".join(pieces)


def as_pair(nomination: Nomination) -> DoubtfulPair:
    """A draft without secrets is shown beside what would be left of the memory."""
    memory, draft = nomination.memory, nomination.offer.draft
    old_at, new_at = memory.valid_from or memory.created_at, draft.said_at or timezone.now()
    shown = as_statement(nomination.offer, memory).text
    return DoubtfulPair(shown, timezone.localdate(old_at), draft.content, timezone.localdate(new_at))


def opinions_of(job: ExtractionJob, number: int) -> list[Opinion]:
    verdicts = job.verdicts or {}
    return [
        Opinion(each["memory"], each["version"], each["answer"], verdicts["model"])
        for each in verdicts.get("pairs", [])
        if each["number"] == number
    ]
