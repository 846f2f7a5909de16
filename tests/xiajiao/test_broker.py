"""The Valkey server in the data folder, run as `up` runs it."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from pytest_django import Settings

from tests.installation import eventually
from xiajiao import broker


@contextmanager
def serve(folder: Path) -> Iterator[redis.Redis]:
    socket = folder / "valkey.sock"
    server = subprocess.Popen(broker.broker_arguments(socket, folder), stdout=subprocess.DEVNULL)
    client = redis.Redis(unix_socket_path=str(socket))
    try:
        eventually(lambda: server.poll() is not None or is_loaded(client), "the server answers or ends")
        yield client
    finally:
        client.close()
        server.kill()
        server.wait()


def is_loaded(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def test_what_was_answered_survives_a_kill(tmp_path: Path) -> None:
    with serve(tmp_path) as client:
        client.set("a", "1")
    with serve(tmp_path) as client:
        assert client.get("a") == b"1"


def test_a_log_cut_in_a_write_is_loaded_up_to_there(tmp_path: Path) -> None:
    with serve(tmp_path) as client:
        client.set("a", "1")
    with find_log(tmp_path).open("ab") as log:
        log.write(b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$5\r\nhal")
    with serve(tmp_path) as client:
        assert client.get("a") == b"1"


def test_a_log_beyond_reading_is_put_aside_once(tmp_path: Path) -> None:
    with serve(tmp_path) as client:
        client.set("a", "1")
    find_log(tmp_path).write_bytes(b"no such thing\r\n" * 20)
    with serve(tmp_path) as client:
        assert not is_loaded(client)

    aside = broker.set_aside_damage(tmp_path)
    assert aside is not None
    assert aside.is_dir()
    assert broker.set_aside_damage(tmp_path) is None
    with serve(tmp_path) as client:
        assert client.get("a") is None


def test_only_this_account_reaches_it(tmp_path: Path) -> None:
    with serve(tmp_path) as client:
        assert stat.S_IMODE((tmp_path / "valkey.sock").stat().st_mode) == 0o700
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_broker_that_is_gone_does_not_ping(settings: Settings) -> None:
    assert broker.ping()
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    assert not broker.ping()


def test_a_system_without_the_wheel_uses_its_own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "redis-server"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert broker.find_server() == str(own)


def find_log(folder: Path) -> Path:
    [log] = (folder / "appendonlydir").glob("*.incr.aof")
    return log
