"""Jobs of the chat."""

from __future__ import annotations

import logging
import time

from celery import shared_task

from chat.deletion import purge, purge_temporary
from chat.extraction.ends import end_silent
from chat.extraction.running import extract, is_enough_at_work
from chat.forgetting.running import claim, give_up, run
from chat.interruption import mark_interrupted
from chat.models import ExtractionJob, Forgetting
from memories.tasks import tidy_forgotten
from xiajiao.claims import LostClaimError, find_abandoned
from xiajiao.nudging import nudge
from xiajiao.tidying import tidy

logger = logging.getLogger(__name__)
# Seconds, after which others have their turn.
A_WHILE = 60.0


@shared_task
def sweep_interrupted() -> None:
    mark_interrupted()


@shared_task
def purge_deleted() -> None:
    """Remove conversations and messages that were deleted longer ago than a person may take it back, and temporary
    conversations whose time is over."""
    purge()
    if purge_temporary():
        tidy()


@shared_task
def forget_memories(forgetting_id: int) -> None:
    """All that is left of what a person had forgotten; the row says how far it is."""
    forgetting = claim(forgetting_id)
    if forgetting is None:
        return
    try:
        run(forgetting)
    except LostClaimError:
        return  # another run has taken it over
    except Exception as error:
        logger.exception("Forgetting %s stopped", forgetting_id)
        give_up(forgetting, error)
    else:
        nudge(tidy_forgotten)


@shared_task
def sweep_forgettings() -> None:
    """Carry on with what a lost message or a stopped worker left."""
    for forgetting_id in find_abandoned(Forgetting):
        forget_memories(forgetting_id)


@shared_task
def extract_memories(job_id: int) -> None:
    """Never in all workers at once: what people wait for goes on beside it, and a sweep finds what is left here."""
    job = ExtractionJob.objects.due().filter(pk=job_id).first()
    if job is None or is_enough_at_work():
        return
    try:
        extract(job)
    except Exception:
        logger.exception("Extraction %s stopped", job_id)


@shared_task
def sweep_extractions() -> None:
    """Conversations that fell silent, and what a lost message or a stopped worker left; for a while."""
    until = time.monotonic() + A_WHILE
    abandoned = ExtractionJob.objects.due().filter(pk__in=find_abandoned(ExtractionJob))
    for job_id in [*end_silent(), *abandoned.order_by("pk").values_list("pk", flat=True)]:
        if time.monotonic() < until:
            extract_memories(job_id)
