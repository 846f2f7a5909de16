"""One writer at a time for an agent's memories of one person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import models, transaction

from memories.models import Agent, WriteLock


@contextmanager
def write_lock(agent_id: int, user_id: int | None) -> Iterator[None]:
    """A transaction in which nobody else writes these memories.

    On PostgreSQL it holds a row; on SQLite the transaction begins IMMEDIATE, so it is the only writer of all.
    What needs a network is done before: whoever waits here waits for a database alone.
    """
    rows: models.QuerySet[Any] = Agent.objects.filter(pk=agent_id)
    if user_id is not None:
        WriteLock.objects.get_or_create(agent_id=agent_id, user_id=user_id)
        rows = WriteLock.objects.filter(agent_id=agent_id, user_id=user_id)
    with transaction.atomic():
        # Without touching the key: rows that point to the agent may be written meanwhile.
        rows.select_for_update(no_key=True).get()
        yield


@contextmanager
def write_locks(keys: Iterable[tuple[int, int | None]]) -> Iterator[None]:
    """Several at once, by agent and person, in one order for all, so that no two wait for each other."""
    with ExitStack() as stack:
        for agent_id, user_id in sorted(set(keys), key=lambda key: (key[0], key[1] or 0)):
            stack.enter_context(write_lock(agent_id, user_id))
        yield
