"""A whole installation for a test: a real `manage.py up` on a data folder of its own."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg

from xiajiao.supervisor.orphans import find_orphans

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60.0


class Installation:
    """`output` grows while it runs. The names of the children are those of their logs."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XIAJIAO_DATA": str(folder),
            "XIAJIAO_ENV_FILE": os.devnull,
            "PORT": str(self.port),
            "LANG": "C.UTF-8",
            **database_of_its_own(),
            **(environment or {}),
        }
        self.popen: subprocess.Popen[str] | None = None
        self.lines: list[str] = []
        self.grown = threading.Condition()

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self.popen is not None, "the installation was not started"
        return self.popen

    def launch(self, *arguments: str) -> None:
        """Without waiting for anything."""
        self.lines = []
        command = [sys.executable, str(ROOT / "manage.py"), "up", *arguments]
        self.popen = subprocess.Popen(
            command,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            preexec_fn=heed_ctrl_c,
        )
        threading.Thread(target=self.read, args=(self.popen,), daemon=True).start()

    def start(self, *arguments: str) -> None:
        """Returns when it is ready for people."""
        self.launch(*arguments)
        self.wait_for_line("is ready")

    def read(self, popen: subprocess.Popen[str]) -> None:
        assert popen.stdout is not None
        for line in popen.stdout:
            with self.grown:
                self.lines.append(line.rstrip())
                self.grown.notify_all()
        with self.grown:
            self.grown.notify_all()

    def wait_for_line(self, text: str) -> None:
        with self.grown:
            self.grown.wait_for(lambda: text in self.output or self.process.poll() is not None, PATIENCE)
        assert text in self.output, f"no line with {text!r} in:\n{self.output}"

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Another management command on the same folder."""
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def processes(self, name: str = "") -> list[psutil.Process]:
        """What runs of it beside `up` itself, the pool of a worker included."""
        found = find_orphans(self.folder)
        return [process for process in found if not name or child_name(process) == name]

    def kill(self, name: str) -> None:
        """kill -9, of a child with all that it started, or of `up` alone."""
        if name == "up":
            self.process.kill()
            self.process.wait()
            return
        for process in self.processes(name):
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Host": "localhost"})
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def readiness(self) -> dict[str, Any]:
        status, body = self.get("/readyz")
        answer: dict[str, Any] = json.loads(body)
        assert (status == 200) == answer["ok"]
        return answer

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        """Whatever state it is in."""
        if self.popen is not None and self.popen.poll() is None:
            assert self.stop() == 0, self.output
            assert self.processes() == []


def heed_ctrl_c() -> None:
    """A suite that a script runs in its background ignores Ctrl-C, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def database_of_its_own() -> dict[str, str]:
    """Where the suite runs on a PostgreSQL server, so does the installation: in a new database there."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        return {}
    name = f"xj_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
    return {"DATABASE_URL": urlsplit(url)._replace(path=f"/{name}").geturl()}


def child_name(process: psutil.Process) -> str:
    try:
        return process.environ().get("XIAJIAO_CHILD", "")
    except psutil.Error:
        return ""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def eventually(is_so: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait for a state that no event tells of; fails with `what` in words."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)
