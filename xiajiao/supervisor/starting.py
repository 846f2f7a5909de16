"""The order of a start: folder, address, leftovers, broker, database, then all the rest."""

from __future__ import annotations

import http.client
import os
import socket
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import OperationalError, connections
from django.utils.translation import get_language, gettext, override

from xiajiao import broker
from xiajiao.llm.environment import sync_environment_provider
from xiajiao.supervisor import lineup
from xiajiao.supervisor.children import Child
from xiajiao.supervisor.greeting import ready_lines
from xiajiao.supervisor.listener import AddressError, open_listener
from xiajiao.supervisor.lock import FolderClosedError, FolderTakenError, take_folder
from xiajiao.supervisor.logs import last_lines
from xiajiao.supervisor.orphans import end_orphans
from xiajiao.supervisor.upgrade import UpgradeError, upgrade
from xiajiao.supervisor.watch import Watch

Say = Callable[[str], None]
# Seconds until a start that does not get on is given up, or spoken about.
BROKER_PATIENCE, WEB_PATIENCE = 60.0, 120.0
MOST_STARTS = 5


class StartError(Exception):
    """Xiajiao can't start; the text is for the person at the terminal."""


def run(say: Say, is_verbose: bool = False) -> None:
    """Start everything and watch it until Ctrl-C or SIGTERM. Raises StartError with nothing left running."""
    listener = claim_folder_and_address()
    if end_orphans(settings.DATA_DIR):
        say(gettext("Ended what an earlier start had left running."))
    watch = Watch(say, is_verbose)
    watch.listen_for_signals()
    try:
        start_all(watch, lineup.web(listener))
        watch.run()
    except KeyboardInterrupt:
        say(gettext("Stopping …"))
    except UpgradeError as error:
        raise StartError(str(error)) from None
    except OperationalError as error:
        text = gettext("The database does not answer as it should. Check DATABASE_URL. It says: %(reason)s")
        raise StartError(text % {"reason": error}) from error
    finally:
        watch.stop()
    say(gettext("Stopped."))


def claim_folder_and_address() -> socket.socket:
    """The listening socket; the folder stays taken until this process ends. Raises StartError."""
    try:
        take_folder(settings.DATA_DIR)
        return open_listener(settings.HOST, settings.PORT)
    except FolderTakenError as error:
        text = gettext("Xiajiao already runs on %(folder)s (process %(pid)s). Stop it first, or set XIAJIAO_DATA.")
        raise StartError(text % {"folder": settings.DATA_DIR, "pid": error.holder}) from None
    except FolderClosedError as error:
        text = gettext(
            "Xiajiao may not write in %(folder)s: %(reason)s. Give this account the folder (chown -R %(user)s), or set"
            " XIAJIAO_DATA."
        )
        raise StartError(text % {"folder": settings.DATA_DIR, "reason": error, "user": os.getuid()}) from None
    except AddressError as error:
        raise StartError(str(error)) from None


def start_all(watch: Watch, web: lineup.Command) -> None:
    server = watch.start(lineup.broker(), lineup.recover_broker) if settings.EMBEDDED_BROKER else None
    upgrade(watch.say)
    sync_environment_provider()
    models = lineup.model_servers(watch.say)
    connections.close_all()
    wait_for_broker(watch, server)
    watch.start(web)
    for command in (lineup.worker(), lineup.beat(), *models):
        watch.start(command)
    language = get_language() or "en"
    threading.Thread(target=announce, args=(watch.say, language), daemon=True).start()


def wait_for_broker(watch: Watch, server: Child | None) -> None:
    """Raises StartError where it does not come up."""
    deadline = time.monotonic() + BROKER_PATIENCE
    starts = 1
    while not broker.ping():
        if time.monotonic() > deadline or starts > MOST_STARTS:
            raise StartError(explain_broker(server))
        if server is not None and not server.is_running:
            watch.mend(server)
            server.start()
            starts += 1
        time.sleep(0.02)


def explain_broker(server: Child | None) -> str:
    if server is None:
        return gettext("No Redis server answers at REDIS_URL. Start it, or leave REDIS_URL empty: one is built in.")
    text = gettext("The built-in broker does not start. The end of %(log)s:") % {"log": server.command.log}
    return "\n".join([text, *(f"    {line}" for line in last_lines(server.command.log))])


def announce(say: Say, language: str) -> None:
    """Speak when the web server answers. The socket is open already: the question waits until it is read."""
    with override(language):
        say(ready_lines() if answers_healthz() else gettext("The web server has not answered yet; see its log."))


def answers_healthz() -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HOST, settings.HOST)  # noqa: S104
    try:
        connection = http.client.HTTPConnection(host, settings.PORT, timeout=WEB_PATIENCE)
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
