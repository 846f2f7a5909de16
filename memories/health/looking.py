"""Looking at one memory as it stands: what is doubtful in it, and beside which others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from memories.candidates import Candidate, find_candidates
from memories.drafts import Draft
from memories.health.languages import find_languages, is_foreign, language_of_agent
from memories.health.recalls import get_reader
from memories.indexing import Embedded
from memories.judgement import Doubt, Statement, find_doubt
from memories.merging import MERGED, REPLACED
from memories.models import Finding, Memory, MemoryRevision
from memories.namespaces import vectors_of
from memories.scrubbing import find_kept_secrets
from xiajiao.embeddings.base import Calibration
from xiajiao.vectorstores import get_store

Kind = Finding.Kind
# Pairs of a kind for one memory, the surest first: a text that resembles hundreds is one nuisance, not hundreds.
MOST_PAIRS = 3
# Characters of a source that tell its language.
SAMPLE = 2000


def look_at(memory: Memory, model: str, calibration: Calibration) -> list[Finding]:
    """Unsaved, for a memory that has a vector of `model`, or counts no longer. Asks no embedder but the judge's own."""
    secret = look_for_secrets(memory)
    if not memory.is_active:
        return [secret] if secret else []
    found = [finding for finding in (secret, look_at_language(memory)) if finding]
    return found + look_beside(memory, model, calibration)


def look_for_secrets(memory: Memory) -> Finding | None:
    """Also in what counts no longer: it is kept, shown and exported all the same."""
    said, told = find_kept_secrets(memory)
    if not said and not told:
        return None
    return make_finding(Kind.SECRET, memory, score=float(bool(said)), details={"kinds": said, "in_history": told})


def look_at_language(memory: Memory) -> Finding | None:
    """None where it is in the language of its agent, or of what it was heard from, or too short to say."""
    agents = {language_of_agent(memory.agent.language)}
    if not is_foreign(memory.content, agents):
        return None
    heard = [memory.quote] if memory.quote else read_sources(memory)
    expected = agents.union(*(find_languages(text[:SAMPLE]) for text in heard))
    if not is_foreign(memory.content, expected):
        return None
    details = {"found": sorted(find_languages(memory.content)), "expected": sorted(expected)}
    return make_finding(Kind.LANGUAGE, memory, details=details)


def read_sources(memory: Memory) -> list[str]:
    reader = get_reader()
    return reader.read_texts(memory.message_ids) if reader is not None and memory.message_ids else []


def look_beside(memory: Memory, model: str, calibration: Calibration) -> list[Finding]:
    doubts = [
        (doubt, candidate.memory)
        for candidate in find_neighbours(memory, model, calibration)
        if candidate.cosine is not None and (doubt := weigh(memory, candidate.memory, candidate.cosine, calibration))
    ]
    doubts.sort(key=lambda each: -each[0].score)
    kept = [each for kind in ("duplicate", "contradiction") for each in of_kind(doubts, kind)[:MOST_PAIRS]]
    return [as_finding(doubt, memory, other) for doubt, other in kept if not was_settled_by_hand(memory, other)]


def of_kind(doubts: Sequence[tuple[Doubt, Memory]], kind: str) -> list[tuple[Doubt, Memory]]:
    return [each for each in doubts if each[0].kind == kind]


def find_neighbours(memory: Memory, model: str, calibration: Calibration) -> list[Candidate]:
    """The nearest by vector and by words, without the memory itself."""
    store = get_store(memory.agent.vectors_in)
    stored = store.fetch(vectors_of(memory, model), [str(memory.pk)]).get(str(memory.pk))
    if stored is None:
        return []
    embedded = Embedded(memory.content, stored, model, calibration)
    draft = Draft(memory.content, memory.category, valid_from=memory.valid_from)
    found = find_candidates(memory.agent, memory.user_id, draft, embedded)
    return [candidate for candidate in found if candidate.memory.pk != memory.pk]


def weigh(memory: Memory, other: Memory, cosine: float, calibration: Calibration) -> Doubt | None:
    older, newer = in_order(memory, other)
    return find_doubt(as_statement(newer), as_statement(older), cosine, calibration)


def in_order(memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The older one first: the same pair the same way, whichever of the two was looked at."""
    older, newer = sorted((memory, other), key=lambda each: (each.created_at, each.pk))
    return older, newer


def as_statement(memory: Memory) -> Statement:
    return Statement(memory.content, memory.category, memory.valid_from, memory.valid_to)


def as_finding(doubt: Doubt, memory: Memory, other: Memory) -> Finding:
    older, newer = in_order(memory, other)
    kind = Kind.DUPLICATE if doubt.kind == "duplicate" else Kind.CONTRADICTION
    return make_finding(kind, older, newer, round(doubt.score, 4), doubt.reason)


def make_finding(
    kind: str, memory: Memory, other: Memory | None = None, score: float = 0.0, details: dict[str, Any] | None = None
) -> Finding:
    return Finding(
        kind=kind,
        memory=memory,
        other=other,
        agent_id=memory.agent_id,
        user_id=memory.user_id,
        score=score,
        details=details or {},
    )


def was_settled_by_hand(memory: Memory, other: Memory) -> bool:
    """Whether somebody took back what the gate had made of these two: they said already that both stand.

    Taking back what was decided here only asks again.
    """
    first, second = memory.pk, other.pk
    revisions = MemoryRevision.objects.filter(memory__in=[first, second])
    split = Q(reason__split_from=first) | Q(reason__split_from=second)
    revived = Q(action=MemoryRevision.Action.REVIVED) & (
        Q(memory=first, before__superseded_by_id=second) | Q(memory=second, before__superseded_by_id=first)
    )
    undone = revisions.filter(split | revived).values_list("reason__undone", flat=True)
    by_gate = MemoryRevision.objects.filter(pk__in=[pk for pk in undone if isinstance(pk, int)])
    return by_gate.exclude(reason__rule__in=[MERGED, REPLACED]).exists()
