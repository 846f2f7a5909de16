"""A draft held against the memories near it: what the write gate would do, and what it would ask a model about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memories.candidates import Candidate, find_candidates
from memories.drafts import Draft, Origin
from memories.indexing import Embedded
from memories.judgement import Statement, Verdict, find_permitted, judge, pick_best
from memories.models import Agent, Memory
from memories.opinions import Opinion, find_opinion, heed
from memories.redaction import redact_text
from xiajiao.embeddings.base import Calibration

# Memories that a model is asked about for one draft.
MOST_DOUBTS = 3


@dataclass(frozen=True)
class Offer:
    """A draft on its way through the gate. `opinions`: what a model said of it beforehand."""

    agent: Agent
    user_id: int | None
    draft: Draft
    origin: Origin
    embedded: Embedded | None
    opinions: Sequence[Opinion] = ()

    def find_candidates(self) -> list[Candidate]:
        return find_candidates(self.agent, self.user_id, self.draft, self.embedded)


@dataclass(frozen=True)
class Judgement:
    """What is to be done, in the face of which memories in which versions."""

    verdict: Verdict
    memory: Memory | None
    seen: dict[int, int]


def foresee(offer: Offer) -> Judgement:
    """What `settle` would do as things stand; writes nothing."""
    return judge_offer(offer, offer.find_candidates())


def judge_offer(offer: Offer, candidates: Sequence[Candidate]) -> Judgement:
    verdicts = [judge_one(offer, each) for each in candidates]
    best = pick_best(verdicts)
    seen = versions(candidates)
    if best is None:
        return Judgement(Verdict("add", 0.0, explain_add(candidates, verdicts)), None, seen)
    verdict, memory = verdicts[best], candidates[best].memory
    if verdict.action == "reinforce" and holds_secret(offer, memory):
        return Judgement(Verdict("add", 0.0, {"rule": "holds_secret", "nearest": memory.pk}), None, seen)
    return Judgement(verdict, memory, seen)


def judge_one(offer: Offer, candidate: Candidate) -> Verdict:
    """The judge's verdict; where it lets both stand and a model was asked, what that said."""
    pair = as_pair(offer, candidate)
    verdict = judge(*pair)
    opinion = find_opinion(offer.opinions, candidate.memory)
    if opinion is None or verdict.action != "add":
        return verdict
    return heed(opinion, verdict, find_permitted(*pair))


def find_doubtful(offer: Offer) -> list[Memory]:
    """What a model may be asked about: the nearest, where the judge would let all of them stand beside the draft."""
    candidates = offer.find_candidates()
    pairs = [as_pair(offer, each) for each in candidates]
    if pick_best([judge(*pair) for pair in pairs]) is not None:
        return []
    doubtful = [each for each, pair in zip(candidates, pairs, strict=True) if find_permitted(*pair)]
    return [each.memory for each in sorted(doubtful, key=lambda each: -(each.cosine or 0.0))[:MOST_DOUBTS]]


def as_pair(offer: Offer, candidate: Candidate) -> tuple[Statement, Statement, float | None, Calibration | None]:
    draft = offer.draft
    calibration = None if offer.embedded is None else offer.embedded.calibration
    new = Statement(draft.content, draft.category, draft.valid_from, draft.valid_to)
    return new, as_statement(offer, candidate.memory), candidate.cosine, calibration


def explain_add(candidates: Sequence[Candidate], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Why even the nearest memory is another one, or the one that a model was asked about."""
    if not candidates:
        return {"rule": "new"}
    asked = ["model" in verdict.reason for verdict in verdicts]
    nearest = max(range(len(candidates)), key=lambda place: (asked[place], candidates[place].cosine or 0.0))
    return verdicts[nearest].reason | {"nearest": candidates[nearest].memory.pk}


def as_statement(offer: Offer, memory: Memory) -> Statement:
    """A draft that secrets were taken out of is compared with a text of which the same would be left."""
    content = memory.content if is_whole(offer) else redact_text(memory.content, offer.agent)
    return Statement(content, memory.category, memory.valid_from, memory.valid_to)


def is_whole(offer: Offer) -> bool:
    return "left_out" not in offer.draft.about_secrets


def holds_secret(offer: Offer, memory: Memory) -> bool:
    """Whether a newer wording, from which a secret was taken, would overwrite one that somebody chose to keep."""
    return not is_whole(offer) and redact_text(memory.content, offer.agent) != memory.content


def versions(candidates: Sequence[Candidate]) -> dict[int, int]:
    return {candidate.memory.pk: candidate.memory.version for candidate in candidates}
