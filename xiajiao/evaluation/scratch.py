"""An installation of its own for an evaluation, in a temporary folder: nothing of anybody is touched."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.conf import settings

from xiajiao.broker import broker_arguments, ping

MARK = "XIAJIAO_SCRATCH"
# Seconds: what is found is measured, and not how busy the machine is.
PATIENCE = "60"


def is_scratch() -> bool:
    return MARK in os.environ


def run_in_scratch(arguments: Sequence[str]) -> int:
    """This command again, on an empty SQLite database; its exit code."""
    with tempfile.TemporaryDirectory(prefix="xiajiao-evaluate-") as folder:
        environment = os.environ | {"XIAJIAO_DATA": folder, "XIAJIAO_ENV_FILE": os.devnull, MARK: "1"}
        environment["RECALL_DEADLINE"] = PATIENCE
        environment.pop("DATABASE_URL", None)
        # The embedder that is evaluated is the one of this installation.
        environment |= {
            "XIAJIAO_EMBEDDER": settings.EMBEDDER,
            "OPENAI_EMBEDDING_MODEL": settings.OPENAI_EMBEDDING_MODEL,
        }
        environment |= {"OPENAI_API_KEY": settings.OPENAI_API_KEY, "OPENAI_BASE_URL": settings.OPENAI_BASE_URL}
        command = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        subprocess.run([*command, "migrate", "--verbosity", "0"], env=environment, check=True)  # noqa: S603  our own
        return subprocess.run([*command, *arguments], env=environment, check=False).returncode  # noqa: S603  our own


@contextmanager
def own_broker() -> Iterator[None]:
    """The broker of the data folder, as `up` starts it, with its log of all that happens."""
    folder = settings.DATA_DIR / "valkey"
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(broker_arguments(settings.BROKER_SOCKET, folder), stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        while not ping() and process.poll() is None:
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()
