"""`manage.py up`, for real: what it starts, what it survives, and what it leaves behind (nothing)."""

import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installation import Installation, eventually
from xiajiao.supervisor import launcher, logs

pytestmark = [pytest.mark.installation, pytest.mark.xdist_group("up")]
on_sqlite = pytest.mark.skipif("DATABASE_URL" in os.environ, reason="the database is a file")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One that several tests look at; its folder lies too deep for a socket."""
    folder = tmp_path_factory.mktemp("installation") / ("deep-" * 15) / ("deeper-" * 10)
    folder.mkdir(parents=True)
    installation = Installation(folder)
    installation.start()
    yield installation
    installation.end()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Installation]:
    installation = Installation(tmp_path)
    yield installation
    installation.end()


def test_a_new_folder_leads_to_a_ready_site(running: Installation) -> None:
    assert running.get("/healthz") == (200, "ok\n")
    eventually(lambda: running.readiness()["ok"], "every part is ready")
    assert f"http://localhost:{running.port}" in running.output
    assert f"http://localhost:{running.port}/setup/" in running.output
    assert running.get("/login/")[0] == 302  # nobody can sign in yet


def test_the_folder_is_closed_to_others(running: Installation) -> None:
    assert stat.S_IMODE((running.folder / "secret.key").stat().st_mode) == 0o600
    for name in ("valkey", "logs", "beat"):
        assert stat.S_IMODE((running.folder / name).stat().st_mode) == 0o700


def test_a_second_copy_is_refused_by_name_of_the_first(running: Installation) -> None:
    second = Installation(running.folder)
    second.launch()

    assert second.process.wait() == 1
    eventually(lambda: bool(second.lines), "it says why")
    assert second.output == (
        f"Xiajiao already runs on {running.folder} (process {running.process.pid}). Stop it first, or set XIAJIAO_DATA."
    )
    assert running.get("/healthz")[0] == 200


def test_a_taken_port_is_told_with_a_way_out(running: Installation, tmp_path: Path) -> None:
    other = Installation(tmp_path)
    other.launch("--port", str(running.port))

    assert other.process.wait() == 1
    eventually(lambda: bool(other.lines), "it says why")
    assert other.output == (
        f"Another program already uses port {running.port} on 127.0.0.1."
        f" Choose another port: make run PORT={running.port + 1}"
    )
    assert other.processes() == []


def test_the_doctor_finds_a_running_site_well(running: Installation) -> None:
    eventually(lambda: running.readiness()["ok"], "every part is ready")
    doctor = running.manage("doctor")
    assert doctor.returncode == 0, doctor.stdout
    assert f"Running: Process {running.process.pid}." in doctor.stdout


@pytest.mark.parametrize("name", ["web", "worker", "beat", "broker"])
def test_a_killed_child_is_started_again(running: Installation, name: str) -> None:
    before = {process.pid for process in running.processes(name)}
    running.kill(name)
    eventually(
        lambda: bool(now := {process.pid for process in running.processes(name)}) and not now & before,
        f"{name} runs again, without any of its old processes",
    )
    assert running.get("/healthz") == (200, "ok\n")
    eventually(lambda: running.readiness()["ok"], "every part is ready again")


def test_a_request_waits_while_the_server_restarts(running: Installation) -> None:
    running.kill("web")
    assert running.get("/healthz") == (200, "ok\n")


def test_ctrl_c_stops_all(fresh: Installation) -> None:
    fresh.start()
    eventually(lambda: len(fresh.processes()) >= 6, "broker, web, beat, the worker and its two pool processes run")

    assert fresh.stop(signal.SIGINT) == 0
    assert fresh.processes() == []
    eventually(lambda: fresh.output.endswith("Stopping …\nStopped."), "it says so")


def test_a_killed_up_leaves_no_orphan_and_starts_again(fresh: Installation) -> None:
    fresh.start()
    fresh.kill("up")
    eventually(lambda: fresh.processes() == [], "nothing of it runs")

    fresh.start()
    assert "left running" not in fresh.output


def test_what_an_earlier_start_left_running_is_ended(fresh: Installation) -> None:
    marks = {"XIAJIAO_CHILD": "worker", "XIAJIAO_DATA": str(fresh.folder)}
    orphan = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=marks)
    stranger = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={**marks, "XIAJIAO_DATA": "/elsewhere"}
    )
    try:
        fresh.start()
        assert "Ended what an earlier start had left running." in fresh.output
        assert orphan.wait() == -signal.SIGKILL
        assert stranger.poll() is None
    finally:
        for process in (orphan, stranger):
            process.kill()
            process.communicate()


def test_a_broker_log_beyond_reading_is_put_aside(fresh: Installation) -> None:
    fresh.start()
    fresh.stop()
    [log] = (fresh.folder / "valkey" / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"*3\r\n$3\r\nSET\r\n" + b"no such thing" * 20 + b"\r\n*1\r\n$4\r\nPING\r\n")

    fresh.start()
    assert list((fresh.folder / "valkey").glob("damaged-*"))
    eventually(lambda: fresh.readiness()["broker"]["ok"], "the broker works")


@on_sqlite
def test_the_database_is_copied_before_an_upgrade(fresh: Installation) -> None:
    assert fresh.manage("migrate", "--verbosity", "0").returncode == 0
    older = sorted(path.stem for path in Path("memories/migrations").glob("0*.py"))[:-1]
    assert fresh.manage("migrate", "memories", older[-1], "--verbosity", "0").returncode == 0

    fresh.start()
    [copy] = (fresh.folder / "backups").iterdir()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as database:
        applied = {row[0] for row in database.execute("SELECT name FROM django_migrations WHERE app = 'memories'")}
    assert applied == set(older)
    assert str(copy) in fresh.output


@on_sqlite
def test_a_database_of_a_newer_version_is_left_alone(fresh: Installation) -> None:
    assert fresh.manage("migrate", "--verbosity", "0").returncode == 0
    with sqlite3.connect(fresh.folder / "xiajiao.db") as database:
        row = ("chat", "9999_future", "2030-01-01")
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", row)

    fresh.launch()
    assert fresh.process.wait() == 1
    eventually(lambda: bool(fresh.lines), "it says why")
    assert "was last used by a newer Xiajiao (chat.9999_future)" in fresh.output
    assert fresh.processes() == []


def test_a_database_that_is_down_is_told(fresh: Installation) -> None:
    fresh.environment = {**fresh.environment, "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"}
    fresh.launch()
    assert fresh.process.wait() == 1
    eventually(lambda: bool(fresh.lines), "it says why")
    assert "The database does not answer as it should. Check DATABASE_URL." in fresh.output
    assert "Traceback" not in fresh.output
    assert fresh.processes() == []


def test_the_doctor_tells_of_a_missing_redis_server(fresh: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
    fresh.environment = {**fresh.environment, "REDIS_URL": f"redis://127.0.0.1:{address[1]}/0"}
    doctor = fresh.manage("doctor")
    assert doctor.returncode == 1
    assert "Check REDIS_URL." in doctor.stdout


def test_where_the_system_cannot_tie_processes_a_guard_does() -> None:
    """The way of systems other than Linux, taken here too."""
    reading, writing = os.pipe()
    code = "import sys; from xiajiao.supervisor.launcher import guard; guard(int(sys.argv[1]), sys.argv[2:])"
    sleeper = [sys.executable, "-c", "import sys; print('up', flush=True); sys.stdin.read()"]
    guarded = subprocess.Popen(
        [sys.executable, "-c", code, str(reading), *sleeper],
        pass_fds=[reading],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        cwd=Path(launcher.__file__).parents[2],
    )
    assert guarded.stdout is not None
    assert guarded.stdout.readline() == b"up\n"

    os.close(reading)
    os.close(writing)  # as when `up` is no more

    assert guarded.wait() == -signal.SIGKILL
    assert guarded.stdout.read() == b""  # its other end is closed: the sleeper ended too
    guarded.stdin.close() if guarded.stdin else None
    guarded.stdout.close()


def test_a_grown_log_is_cut_while_its_writer_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    with path.open("ab", buffering=0) as writer:
        for number in range(5):
            writer.write(b"%d\n" % number * 100)
            logs.rotate(path, largest=150)
        writer.write(b"last\n")

    assert path.read_bytes() == b"last\n"
    assert [(tmp_path / f"web.log.{n}").read_bytes()[:1] for n in (1, 2, 3)] == [b"4", b"3", b"2"]
    assert not (tmp_path / "web.log.4").exists()


def test_errors_of_a_log_are_told_once_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    path.write_text("2026-01-01 10:00:00,000 ERROR old: before the look\n")
    tail = logs.ErrorTail(path)
    with path.open("a") as writer:
        writer.write("2026-01-01 10:00:01,000 INFO a: fine\n2026-01-01 10:00:02,000 ERROR b: broken\nTraceback …\n")
        writer.write("2026-01-01 10:00:03,000 ERR")

    assert tail.read() == ["2026-01-01 10:00:02,000 ERROR b: broken"]
    assert tail.read() == []
    with path.open("a") as writer:
        writer.write("OR c: whole now\n")
    assert tail.read() == ["2026-01-01 10:00:03,000 ERROR c: whole now"]
