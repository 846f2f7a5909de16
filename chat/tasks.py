"""Jobs of the chat."""

from celery import shared_task

from chat.deletion import purge
from chat.interruption import mark_interrupted


@shared_task
def sweep_interrupted() -> None:
    mark_interrupted()


@shared_task
def purge_deleted() -> None:
    """Remove conversations and messages that were deleted longer ago than a person may take it back."""
    purge()
