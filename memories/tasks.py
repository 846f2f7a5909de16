"""Changes of many memories, and sweeps nudged by beat: each does a bounded piece of work and may run twice at once."""

from __future__ import annotations

import logging
import time

from celery import shared_task

from memories.approval.following import drop_decided
from memories.bulk.running import claim, give_up, run, tidy
from memories.drifting import check_indexes, mend
from memories.health.sweeping import Progress, ask_on, note_vector_error, sweep
from memories.models import BulkChange, Export, Import, IndexDrift, Reindexing
from memories.reindexing import ask_for_moves
from memories.reindexing import run as run_reindexing
from memories.sweeps import embed_unembedded, purge
from memories.tallying import check_tallies
from memories.tombstones import tidy_tombstones
from memories.transfer.exporting import advance_export
from memories.transfer.importing import advance_import
from memories.transfer.sweeping import remove_old_files
from memories.type_removal import carry_on, find_removals
from xiajiao.claims import find_abandoned
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.nudging import nudge

logger = logging.getLogger(__name__)

# Seconds: others want the worker too. What somebody waits for goes on behind them when its slice is over.
A_WHILE, A_SLICE = 15.0, 120.0


@shared_task
def purge_deleted() -> None:
    """Remove what was deleted longer ago than a person may take it back."""
    purge()
    drop_decided()


@shared_task
def embed_missing() -> None:
    """Make the vectors that memories lack: the embedder was down, or is another one now."""
    try:
        embed_unembedded()
    except EmbeddingError as error:
        note_vector_error(str(error))
        logger.warning("Memories wait for their vectors: %s", error)
    else:
        note_vector_error("")


@shared_task
def tidy_forgotten() -> None:
    """Rid the files beside the rows of what was forgotten; nothing where that is done already."""
    tidy_tombstones()


@shared_task
def mend_tallies() -> None:
    """Count all memories again: the panel's figures are kept beside them, and must not drift."""
    check_tallies()


@shared_task
def remove_type(type_id: int) -> None:
    """Give the memories of a type that is being deleted to another one, then delete it."""
    while carry_on(type_id):
        pass


@shared_task
def finish_type_removals() -> None:
    """Carry on with what a lost message or a stopped worker left."""
    for type_id in find_removals():
        carry_on(type_id)


@shared_task
def look_for_doubts() -> None:
    """Look at some of the memories that changed for what is doubtful in them."""
    look(A_WHILE)


@shared_task
def look_for_doubts_now() -> None:
    """Look at all that changed; somebody waits for it. What is left after a slice lets others go first."""
    embed_missing()
    if look(A_SLICE).is_cut:
        ask_on()
        nudge(look_for_doubts_now)


def look(seconds: float) -> Progress:
    try:
        return sweep(seconds)
    except EmbeddingError as error:
        logger.warning("Memories wait to be looked at: %s", error)
        return Progress()


@shared_task
def run_bulk_change(change_id: int) -> None:
    change = claim(change_id)
    if change is None:
        return  # another worker has it, or it is over
    try:
        run(change)
    except Exception as error:
        logger.exception("The bulk change %s met an error", change_id)
        give_up(change, error)


@shared_task
def sweep_bulk_changes() -> None:
    """Start those that nobody began, and those whose worker died."""
    for change_id in find_abandoned(BulkChange):
        nudge(run_bulk_change, change_id)
    tidy()


@shared_task
def find_index_drift() -> None:
    """Note where the indexes don't agree with the rows."""
    check_indexes()


@shared_task
def mend_indexes() -> None:
    """Make them agree where they were found not to, and the vectors that turn out to lack."""
    for pair in set(IndexDrift.objects.values_list("agent_id", "user_id")):
        mend(pair)
    embed_missing()


@shared_task
def reindex() -> None:
    """Take up the jobs that wait or were left, and what has to move; after a slice others go first."""
    ask_for_moves()
    until = time.monotonic() + A_SLICE
    for pk in Reindexing.objects.unfinished().order_by("pk").values_list("pk", flat=True):
        run_reindexing(pk, until - time.monotonic())
    if Reindexing.objects.filter(state=Reindexing.State.WAITING).exists():
        nudge(reindex)


@shared_task
def run_import(pk: int) -> None:
    """A slice of an import; the rest is another task's, so that a long one keeps nobody waiting."""
    job = Import.objects.filter(pk=pk).first()
    if job is None:
        return  # taken back while it waited
    if advance_import(job):
        nudge(run_import, pk)
    else:
        nudge(embed_missing)


@shared_task
def run_export(pk: int) -> None:
    """A slice of an export."""
    job = Export.objects.filter(pk=pk).first()
    if job is not None and advance_export(job):
        nudge(run_export, pk)


@shared_task
def sweep_transfers() -> None:
    """Take up imports and exports that nobody works at, and remove files that nobody needs any more."""
    for pk in find_abandoned(Import):
        nudge(run_import, pk)
    for pk in find_abandoned(Export):
        nudge(run_export, pk)
    remove_old_files()
