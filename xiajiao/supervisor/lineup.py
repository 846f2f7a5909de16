"""Which processes make up a running Xiajiao, and how each is started."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import replace

from django.conf import settings

from xiajiao.broker import broker_arguments, set_aside_damage
from xiajiao.llm.gguf import GGUFError, prepare_server
from xiajiao.supervisor.children import Command
from xiajiao.supervisor.orphans import CHILD_MARK


def describe(name: str, arguments: list[str], stop_signal: signal.Signals = signal.SIGTERM) -> Command:
    """A child with its mark and its log file in the data folder."""
    folder = settings.DATA_DIR / "logs"
    folder.mkdir(mode=0o700, exist_ok=True)
    marks = {CHILD_MARK: name, "XIAJIAO_DATA": str(settings.DATA_DIR)}
    return Command(name, arguments, folder / f"{name}.log", settings.BASE_DIR, marks, stop_signal)


def broker() -> Command:
    folder = settings.DATA_DIR / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    return describe("broker", broker_arguments(settings.BROKER_SOCKET, folder))


def recover_broker() -> str | None:
    """For a broker that won't start: where its unreadable log was put."""
    aside = set_aside_damage(settings.DATA_DIR / "valkey")
    return str(aside) if aside else None


def worker() -> Command:
    # SIGQUIT hands unfinished tasks back to the queue; SIGTERM would wait for them, an hour if need be.
    options = ["--pool", "prefork", "--concurrency", str(settings.WORKER_PROCESSES), "--without-gossip"]
    return describe("worker", [*celery(), "worker", *options, "--without-mingle"], signal.SIGQUIT)


def beat() -> Command:
    folder = settings.DATA_DIR / "beat"
    folder.mkdir(mode=0o700, exist_ok=True)
    return describe("beat", [*celery(), "beat", "--schedule", str(folder / "schedule"), "--pidfile", ""])


def celery() -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "--app", "xiajiao"]


def web(listener: socket.socket) -> Command:
    command = describe("web", [sys.executable, "-m", "xiajiao.webserver", str(listener.fileno())])
    return replace(command, pass_fds=(listener.fileno(),))


def model_servers(say: Callable[[str], None]) -> list[Command]:
    """The server of a person's own model file, where LOCAL_GGUF names one; what keeps it from being served is said."""
    if not settings.LOCAL_GGUF:
        return []
    try:
        command = describe("model", prepare_server())
    except GGUFError as error:
        say(str(error))
        return []
    # Threads that spin while they wait would take the cores from everything else.
    return [replace(command, environment={**command.environment, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"})]
