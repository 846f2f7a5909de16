"""Which memories are never recalled, and which come along all the time without answering anything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from statistics import median

from django.db import transaction
from django.utils import timezone

from memories.health.recalls import ANSWERS, FEWEST_ANSWERS, Pair, RecallReader, RecentRecalls
from memories.models import Agent, Finding, Memory
from memories.models.memories import MemoryQuerySet
from xiajiao.embeddings import get_embedder

Kind = Finding.Kind
OLD = timedelta(days=60)
# In more than this share of the latest answers is too often where it hardly fitted.
OFTEN = 0.5
# What answers a question lies at 2.3 times the floor in the middle, what only slipped over it at 1.8 (20 questions to
# 20 memories, zh and en, e5).
FAINT = 2.0
BATCH = 500


def look_at_recalls(reader: RecallReader) -> None:
    """For each agent and person with conversations; old memories grow older without them. Raises EmbeddingError."""
    Finding.objects.open().filter(kind=Kind.UNUSED, memory__recall_count__gt=0).delete()
    agents = {agent.pk: agent for agent in Agent.objects.filter(auto_inject_memory=True)}
    for pair in reader.list_pairs():
        if pair[0] in agents:
            recent = reader.read_recent(pair, ANSWERS)
            save(pair, find_overused(agents[pair[0]], pair, recent) + find_unused(pair, recent))


def memories_of(pair: Pair) -> MemoryQuerySet:
    agent_id, user_id = pair
    found = Memory.objects.filter(agent=agent_id, user=user_id, pinned=False, superseded_by__isnull=True).active()
    return found.exclude(category=Memory.Category.PROCEDURAL)


def find_unused(pair: Pair, recent: RecentRecalls) -> list[Finding]:
    """Old enough to have been needed, of an agent that has answered often enough since."""
    if len(recent.moments) < FEWEST_ANSWERS:
        return []
    before = min(recent.moments[FEWEST_ANSWERS - 1], timezone.now() - OLD)
    unused = memories_of(pair).filter(recall_count=0, created_at__lt=before).order_by()
    return [
        Finding(kind=Kind.UNUSED, memory_id=pk, agent_id=pair[0], user_id=pair[1], score=-moment.timestamp())
        for pk, moment in unused.values_list("pk", "created_at")
    ]


def find_overused(agent: Agent, pair: Pair, recent: RecentRecalls) -> list[Finding]:
    answers = len(recent.moments)
    if answers < FEWEST_ANSWERS:
        return []
    floor = agent.relevance_floor if agent.relevance_floor is not None else get_embedder().calibration.floor
    faint = {
        pk: (len(found), usual)
        for pk, found in recent.relevance.items()
        if len(found) > answers * OFTEN and (usual := usual_relevance(found)) is not None and usual < floor * FAINT
    }
    known = set(memories_of(pair).filter(pk__in=faint).values_list("pk", flat=True))
    return [
        Finding(
            kind=Kind.OVERUSED,
            memory_id=pk,
            agent_id=pair[0],
            user_id=pair[1],
            score=round(times / answers, 4),
            details={"answers": answers, "times": times, "relevance": round(usual, 3), "floor": round(floor, 3)},
        )
        for pk, (times, usual) in faint.items()
        if pk in known
    ]


def usual_relevance(figures: Sequence[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return median(known) if known else None


@transaction.atomic
def save(pair: Pair, found: Sequence[Finding]) -> None:
    """What no longer holds goes; what a person has settled stays settled."""
    before = Finding.objects.open().filter(kind__in=[Kind.UNUSED, Kind.OVERUSED], agent=pair[0], user=pair[1])
    holds = {(finding.kind, finding.memory_id) for finding in found}
    gone = [pk for pk, *key in before.values_list("pk", "kind", "memory") if tuple(key) not in holds]
    for start in range(0, len(gone), BATCH):
        Finding.objects.filter(pk__in=gone[start : start + BATCH]).delete()
    overused = [finding.memory_id for finding in found if finding.kind == Kind.OVERUSED]
    before.filter(kind=Kind.OVERUSED, memory__in=overused).delete()
    Finding.objects.bulk_create(found, batch_size=BATCH, ignore_conflicts=True)
