"""Jobs of the chat."""

from celery import shared_task

from chat.interruption import mark_interrupted


@shared_task
def sweep_interrupted() -> None:
    mark_interrupted()
