"""Making the indexes of memories anew from the rows, and moving vectors from one store to another, in the background.

What is there serves until its successor stands: a vector is replaced in one transaction, and an agent's searches turn
to another store once that holds all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby

from django.db.models import F, Q

from memories.drifting import find_drift, find_pairs, mend
from memories.indexing import Embedded, embed_texts, index_all
from memories.locks import write_lock
from memories.models import Agent, Memory, Reindexing
from memories.models.memories import MemoryQuerySet
from memories.moving import copy_vectors, move_in
from memories.namespaces import Pair
from xiajiao import claims
from xiajiao.claims import LostClaimError, end, held, record, release
from xiajiao.embeddings import EmbeddingError

BATCH = 32
State = Reindexing.State
Tell = Callable[[Reindexing], None]


def ask(agent: Agent | None, is_whole: bool, user_id: int | None = None) -> Reindexing:
    """The job that does it, which may be there already; whoever asks nudges the queue."""
    waiting = Reindexing.objects.unfinished().filter(agent=agent, is_whole=is_whole).first()
    return waiting or Reindexing.objects.create(agent=agent, is_whole=is_whole, asked_by_id=user_id)


def ask_for_moves() -> None:
    """For agents whose vectors lie elsewhere than they should."""
    for agent in Agent.objects.exclude(vectors_in=F("vector_store")):
        if not Reindexing.objects.unfinished().filter(Q(agent=agent) | Q(agent__isnull=True)).exists():
            ask(agent, is_whole=False)


def run(pk: int, seconds: float = 3000.0, tell: Tell = lambda job: None) -> None:
    """Go on with a job, for about so long; another run goes on from there. `tell` hears of each batch."""
    job = claim(pk)
    if job is None:
        return
    with held(job):
        work(job, time.monotonic() + seconds, tell)


def work(job: Reindexing, until: float, tell: Tell) -> None:
    """Raises LostClaimError."""
    try:
        while time.monotonic() < until:
            if not take_batch(job):
                return finish(job)
            tell(job)
        return release(job, state=State.WAITING)
    except EmbeddingError as error:
        return fail(job, str(error))
    except LostClaimError:
        raise
    except Exception as error:
        fail(job, f"{type(error).__name__}: {error}")
        raise


def claim(pk: int) -> Reindexing | None:
    """None where it is done, or another worker is at it."""
    Reindexing.objects.filter(pk=pk, state=State.FAILED).update(state=State.WAITING)
    row = Reindexing.objects.filter(pk=pk).first()
    job = None if row is None else claims.claim(row, state=State.RUNNING, error="")
    if job is not None:
        job.total = job.done + memories_of(job).filter(pk__gt=job.cursor).count()
    return job


def memories_of(job: Reindexing) -> MemoryQuerySet:
    rows = Memory.objects.order_by("pk").select_related("agent")
    return rows if job.agent_id is None else rows.filter(agent=job.agent_id)


def take_batch(job: Reindexing) -> bool:
    """False where nothing is left."""
    rows = list(memories_of(job).filter(pk__gt=job.cursor)[:BATCH])
    if not rows:
        return False
    embedded = embed_rows(rows) if job.is_whole else {}
    by_pair = sorted(rows, key=lambda memory: (memory.agent_id, memory.user_id or 0, memory.pk))
    for pair, group in groupby(by_pair, key=lambda memory: (memory.agent_id, memory.user_id)):
        remake(pair, [memory.pk for memory in group], job.is_whole, embedded)
    record(job, cursor=rows[-1].pk, done=job.done + len(rows), total=job.total, attempts=0)
    return True


def embed_rows(rows: Sequence[Memory]) -> dict[int, Embedded]:
    """By memory. Raises EmbeddingError."""
    findable = [memory for memory in rows if memory.is_findable]
    vectors = embed_texts([memory.content for memory in findable]) if findable else []
    return {memory.pk: vector for memory, vector in zip(findable, vectors, strict=True)}


def remake(pair: Pair, keys: Sequence[int], is_whole: bool, embedded: dict[int, Embedded]) -> None:
    """The rows as they stand now; a vector of a text that changed meanwhile counts for nothing."""
    with write_lock(*pair):
        rows = list(Memory.objects.filter(pk__in=keys).select_related("agent"))
        if rows and is_whole:
            index_all(rows, embedded)
        if rows and rows[0].agent.is_moving:
            copy_vectors(rows)


def finish(job: Reindexing) -> None:
    """What the indexes hold too much goes, and agents turn to the store where their vectors are now."""
    pairs = [pair for pair in find_pairs() if job.agent_id in {None, pair[0]}]
    for pair in pairs:
        drift = find_drift(pair)
        if drift.lacking or drift.too_much:
            mend(pair)
    agents = Agent.objects.exclude(vectors_in=F("vector_store"))
    for agent in agents if job.agent_id is None else agents.filter(pk=job.agent_id):
        move_in(agent, [pair for pair in pairs if pair[0] == agent.pk])
    end(job, State.DONE, total=job.total, done=job.done)


def fail(job: Reindexing, error: str) -> None:
    end(job, State.FAILED, total=job.total, done=job.done, error=error[:500])
