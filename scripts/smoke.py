#!/usr/bin/env python3
"""`make run` in a new data folder: it has to become ready, say so, and stop when it is told to."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 120


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="xj-smoke-") as folder:
        environment = {**os.environ, "XIAJIAO_DATA": folder, "PORT": str(free_port())}
        began = time.monotonic()
        site = subprocess.Popen(["make", "run"], env=environment, stdin=subprocess.DEVNULL)
        try:
            answer = wait_until_ready(site, f"http://127.0.0.1:{environment['PORT']}/readyz")
            print(f"ready after {time.monotonic() - began:.1f} s: {answer}", flush=True)
        finally:
            site.send_signal(signal.SIGTERM)
            site.wait(30)
    return 0


def wait_until_ready(site: subprocess.Popen[bytes], address: str) -> dict[str, object]:
    deadline = time.monotonic() + PATIENCE
    while True:
        if site.poll() is not None or time.monotonic() > deadline:
            sys.exit("make run did not become ready")
        try:
            with urllib.request.urlopen(address, timeout=10) as response:
                answer: dict[str, object] = json.load(response)
                return answer
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
