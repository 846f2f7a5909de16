"""A throw-away Xiajiao for benchmarks: its own data folder, broker, web server and scripted model, each a process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parent.parent
# A folder that a benchmark keeps from one run to the next, or one of this run alone.
KEPT = os.environ.get("XJ_BENCH_FOLDER", "")
DATA = Path(KEPT or tempfile.mkdtemp(prefix="xj-bench-"))
os.environ["XIAJIAO_DATA"] = str(DATA)
os.environ["XIAJIAO_ENV_FILE"] = os.devnull
os.environ["LOG_LEVEL"] = "WARNING"
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
sys.path.insert(0, str(ROOT))

import django


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Installation:
    """Use it as a context: inside, Django is set up on the same database and `port` is the site's."""

    def __init__(self, *model: str) -> None:
        """`model`: the arguments of the scripted model, tests/openai_stub.py."""
        self.model = model
        self.processes: list[subprocess.Popen[Any]] = []
        self.port = free_port()
        self.base_url = ""

    def __enter__(self) -> Self:
        stub = self.start(sys.executable, "-m", "tests.openai_stub", *self.model, stdout=subprocess.PIPE, text=True)
        assert stub.stdout is not None
        self.base_url = stub.stdout.readline().strip()
        os.environ |= {"OPENAI_BASE_URL": self.base_url, "OPENAI_API_KEY": "sk-bench", "OPENAI_MODEL": "stub-model"}
        django.setup()
        self.start_broker()
        self.manage("migrate", "--verbosity", "0")
        self.start(
            *(sys.executable, "-m", "uvicorn", "xiajiao.asgi:application", "--lifespan", "off"),
            *("--port", str(self.port), "--log-level", "warning", "--timeout-keep-alive", "600"),
        )
        wait_for_port(self.port)
        return self

    def __exit__(self, *args: object) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        if not KEPT:
            shutil.rmtree(DATA, ignore_errors=True)

    def start(self, *command: str, **how: Any) -> subprocess.Popen[Any]:
        process = subprocess.Popen(command, cwd=ROOT, **how)
        self.processes.append(process)
        return process

    def manage(self, *arguments: str) -> None:
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=True)

    def start_broker(self) -> None:
        from django.conf import settings

        from xiajiao.broker import broker_arguments

        path = Path(settings.BROKER_SOCKET)
        path.unlink(missing_ok=True)
        (DATA / "valkey").mkdir(exist_ok=True)
        self.start(*broker_arguments(path, DATA / "valkey"), stdout=subprocess.DEVNULL)
        while not path.exists():
            time.sleep(0.02)


def wait_for_port(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
