"""A bulk change from its beginning to its end, batch by batch; each is committed with what is left to do."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, suppress

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from memories.bulk.applying import DeedError, apply
from memories.bulk.vectors import BATCH, MissingVectors, lacking
from memories.indexing import Embedded
from memories.locks import write_lock
from memories.models import BulkBatch, BulkChange, Memory
from memories.models.bulk import KEPT_OPEN, UNFINISHED, BulkChangeQuerySet
from xiajiao import claims
from xiajiao.claims import LostClaimError, end, record

# So many are changed while the person waits for the page; more go to a worker.
AT_ONCE = 200
# Errors without any progress between them.
MOST_ATTEMPTS = 5
# After a batch, so much of the time it took is left to others who want to write; seconds at the most.
REST, LONGEST_REST = 0.25, 0.25
State = BulkChange.State


def is_small(change: BulkChange) -> bool:
    """Whether it is done before the person who asks for it grows impatient."""
    if change.total > AT_ONCE:
        return False
    texts = [pk for batch in change.batches.all() for pk in batch.memory_ids]
    return MissingVectors(change, lambda: None).is_down or lacking(texts).count() <= BATCH


def claim(change_id: int) -> BulkChange | None:
    """Take a change that waits or was left by a worker that died; None where another run has it or it is over."""
    change = BulkChange.objects.filter(pk=change_id).first()
    started = Coalesce(F("started_at"), timezone.now())
    return None if change is None else claims.claim(change, state=State.RUNNING, started_at=started)


def run(change: BulkChange) -> None:
    """All that is left of a claimed change; stops where it was cancelled or another run has taken it over."""
    vectors = MissingVectors(change, lambda: beat(change))
    batch = change.batches.first()
    while batch is not None:
        began = time.monotonic()
        if not commit_batch(change, batch, vectors.make(batch)):
            return
        batch = change.batches.first()
        if batch is not None:
            time.sleep(min((time.monotonic() - began) * REST, LONGEST_REST))
    with suppress(LostClaimError):
        end(change, State.DONE, error="")


def commit_batch(change: BulkChange, batch: BulkBatch, embedded: dict[int, Embedded]) -> bool:
    """Memories, progress and what is left, together. False where the change is no longer this run's."""
    with lock_of(batch):
        current = mine(change).select_for_update(of=("self",), no_key=True).select_related("user").first()
        if current is None:
            return False
        apply(current, batch, embedded).add_to(current)
        batch.delete()
        current.heartbeat, current.attempts = timezone.now(), 0
        current.save(update_fields=["done", "skipped", "heartbeat", "attempts"])
    return True


def lock_of(batch: BulkBatch) -> AbstractContextManager[None]:
    """With all memories of a batch its agent may be gone, and there is nothing to lock."""
    if Memory.objects.filter(pk__in=batch.memory_ids).exists():
        return write_lock(batch.agent_id, batch.user_id)
    return transaction.atomic()


def mine(change: BulkChange) -> BulkChangeQuerySet:
    """The row, while this run may write it."""
    return BulkChange.objects.filter(pk=change.pk, claim=change.claim, state=State.RUNNING)


def beat(change: BulkChange) -> None:
    mine(change).update(heartbeat=timezone.now())


def give_up(change: BulkChange, error: Exception) -> None:
    """After an error: the sweep starts it again, unless that has been in vain too often or can't help."""
    words = str(error) if isinstance(error, DeedError) else f"{type(error).__name__}: {error}"
    attempts = change.attempts + 1
    with suppress(LostClaimError):
        if isinstance(error, DeedError) or attempts >= MOST_ATTEMPTS:
            end(change, State.FAILED, error=words, attempts=attempts)
        else:
            record(change, claim="", error=words, attempts=attempts)


def cancel(change: BulkChange) -> bool:
    """False where it was over already; one that failed is given up. What was done stays done."""
    rows = BulkChange.objects.filter(pk=change.pk, state__in=[*UNFINISHED, State.FAILED])
    ended = Coalesce(F("finished_at"), timezone.now())
    return bool(rows.update(state=State.CANCELLED, claim="", finished_at=ended))


def go_on(change: BulkChange) -> bool:
    """Let one that failed or was stopped do what is left; False where it can't."""
    if not change.can_go_on:
        return False
    rows = BulkChange.objects.filter(pk=change.pk, state__in=[State.FAILED, State.CANCELLED])
    return bool(rows.update(state=State.PENDING, claim="", finished_at=None, attempts=0, error=""))


def tidy() -> None:
    """What stopped long ago doesn't go on: forget what was left of it."""
    ended = BulkChange.objects.exclude(state__in=UNFINISHED).filter(finished_at__lt=timezone.now() - KEPT_OPEN)
    BulkBatch.objects.filter(change__in=ended).delete()
