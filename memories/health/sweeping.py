"""Looking through memories in the background: a bounded piece at a time, those first that changed since."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from memories.health.looking import look_at
from memories.health.recalls import get_reader
from memories.health.using import look_at_recalls
from memories.indexing import current_model
from memories.models import Finding, HealthState, Memory
from memories.models.memories import MemoryQuerySet
from xiajiao.embeddings import get_embedder

# Of the rules by which memories are looked at; a new number has everything looked at again.
EDITION = 2
# Memories between two heartbeats.
BATCH = 20
# A sweep without a heartbeat for so long has ended without saying so.
SILENT = timedelta(seconds=90)
# How often recalls are looked at.
RECALLS_EVERY = timedelta(hours=1)
STATE = 1


@dataclass(frozen=True)
class Progress:
    """`looked`: how many memories this run has looked at. `is_busy`: another run is at it, this one did nothing.

    `is_cut`: its time was over before all were looked at.
    """

    looked: int = 0
    is_busy: bool = False
    is_cut: bool = False


def sweep(seconds: float) -> Progress:
    """Look at what has changed, for about so many seconds. Raises EmbeddingError."""
    if not claim():
        return Progress(is_busy=True)
    error = ""
    try:
        return look_through(time.monotonic() + seconds)
    except Exception as caught:
        error = str(caught)[:500]
        raise
    finally:
        release(error)


def look_through(until: float) -> Progress:
    start_over_with_new_rules()
    embedder, model = get_embedder(), current_model()
    looked, is_cut = 0, True
    while is_cut and time.monotonic() < until:
        batch = list(due(model).select_related("agent").order_by("user_id", "agent_id", "pk")[:BATCH])
        for memory in batch:
            save(memory, look_at(memory, model, embedder.calibration))
        looked += len(batch)
        beat()
        is_cut = len(batch) == BATCH
    read_recalls()
    return Progress(looked, is_cut=is_cut)


def read_recalls() -> None:
    """Where it is time for it."""
    reader, state = get_reader(), HealthState.objects.get(pk=STATE)
    now = timezone.now()
    is_time = state.recalls_read_at is None or state.recalls_read_at < now - RECALLS_EVERY
    if reader is not None and is_time:
        look_at_recalls(reader)
        HealthState.objects.filter(pk=STATE).update(recalls_read_at=now)


def due(model: str) -> MemoryQuerySet:
    """Those that count and have no vector yet wait for it."""
    needs_none = Q(enabled=False) | Q(superseded_by__isnull=False) | Q(valid_to__lte=timezone.now())
    return Memory.objects.unlooked().filter(Q(embedded_with=model) | needs_none)


@transaction.atomic
def save(memory: Memory, found: Sequence[Finding]) -> None:
    """Nothing where the memory changed while it was looked at: it is still due then.

    What was found before and is so no longer goes; what a person has settled stays settled.
    """
    looked = Memory.objects.filter(pk=memory.pk, version=memory.version)
    if not looked.update(looked_version=F("version")):
        return
    stale = Finding.objects.open().filter(Q(memory=memory) | Q(other=memory), kind__in=LOOKED_FOR)
    kept = [finding.pk for finding in stale if any(is_same(finding, each) for each in found)]
    stale.exclude(pk__in=kept).delete()
    Finding.objects.bulk_create(found, ignore_conflicts=True)


LOOKED_FOR = [Finding.Kind.DUPLICATE, Finding.Kind.CONTRADICTION, Finding.Kind.LANGUAGE, Finding.Kind.SECRET]


def is_same(one: Finding, other: Finding) -> bool:
    return (one.kind, one.memory_id, one.other_id) == (other.kind, other.memory_id, other.other_id)


def claim() -> bool:
    HealthState.objects.get_or_create(pk=STATE)
    idle = Q(heartbeat_at__isnull=True) | Q(heartbeat_at__lt=timezone.now() - SILENT)
    return bool(HealthState.objects.filter(idle, pk=STATE).update(heartbeat_at=timezone.now(), asked_at=None))


def ask() -> None:
    """Note that somebody wants a look now, at recalls too; whoever asks nudges the queue."""
    HealthState.objects.update_or_create(pk=STATE, defaults={"asked_at": timezone.now(), "recalls_read_at": None})


def ask_on() -> None:
    """The rest of a look that somebody wants waits for its turn."""
    HealthState.objects.filter(pk=STATE).update(asked_at=timezone.now())


def beat() -> None:
    HealthState.objects.filter(pk=STATE).update(heartbeat_at=timezone.now())


def release(error: str) -> None:
    columns: dict[str, object] = {"heartbeat_at": None, "error": error}
    if not error and not Memory.objects.unlooked().exists():
        columns["finished_at"] = timezone.now()
    HealthState.objects.filter(pk=STATE).update(**columns)


def start_over_with_new_rules() -> None:
    if HealthState.objects.filter(pk=STATE).exclude(edition=EDITION).update(edition=EDITION):
        Memory.objects.filter(looked_version__gt=0).update(looked_version=0)


def note_vector_error(error: str) -> None:
    """Why memories wait for their vectors; empty: nothing stands in the way."""
    HealthState.objects.filter(pk=STATE).exclude(vector_error=error[:500]).update(vector_error=error[:500])
