"""After something was forgotten: nothing of it in what the database and the broker keep beside their rows."""

from __future__ import annotations

import logging
import time

import redis
from django.conf import settings
from django.db import OperationalError, connection

from xiajiao import fulltext
from xiajiao.broker import connect

logger = logging.getLogger(__name__)
PATIENCE = 30.0  # seconds for the broker to write its log anew


def tidy(is_thorough: bool = False) -> None:
    """Outside a transaction, in the background: it reads all of the index. Safe at any time.

    `is_thorough` writes the whole database file anew, which nobody may write into meanwhile; deleted rows are
    overwritten without that.
    """
    fulltext.tidy()
    if connection.vendor == "sqlite":
        tidy_sqlite(is_thorough)
    if settings.EMBEDDED_BROKER:
        rewrite_log()


def tidy_sqlite(is_thorough: bool) -> None:
    with connection.cursor() as cursor:
        if is_thorough:
            cursor.execute("VACUUM")
        try:
            # The log beside the file holds pages as they were.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except OperationalError as error:
            logger.warning("The database's log is emptied later: %s", error)


def rewrite_log() -> bool:
    """The broker's log tells all that ever happened, until it is written anew. False where it was not."""
    try:
        with connect() as client:
            client.bgrewriteaof()
            return wait_for_log(client)
    except redis.RedisError as error:
        logger.warning("The broker's log is not written anew: %s", error)
        return False


def wait_for_log(client: redis.Redis) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = client.info("persistence")
        if not (state["aof_rewrite_in_progress"] or state.get("aof_rewrite_scheduled")):
            return state["aof_last_bgrewrite_status"] == "ok"
        time.sleep(0.05)
    return False
