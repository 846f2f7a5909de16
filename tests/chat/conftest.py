import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from pytest_django import Settings

from chat.runner import runner
from chat.stream import broker
from memories.models import MemoryType
from tests.chat.pages import Site
from xiajiao.asgi import application
from xiajiao.broker import find_server


@pytest.fixture
def types(transactional_db: None) -> None:
    """The system types, which the flush after a test in real transactions takes away."""
    for key in ("user", "project", "feedback", "reference"):
        MemoryType.objects.get_or_create(key=key, defaults={"name": key, "is_system": True})


@pytest.fixture
def turns(transactional_db: None, types: None) -> Iterator[None]:
    """A runner of this test alone; what still runs at its end is stopped."""
    runner.cache_clear()
    broker.cache_clear()
    yield
    runner().shut_down()
    runner.cache_clear()
    broker.cache_clear()


@pytest.fixture
def mortal_broker(turns: None, settings: Settings, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A broker that a test may kill."""
    socket_path = tmp_path / "valkey.sock"
    arguments = [find_server(), "--port", "0", "--unixsocket", str(socket_path), "--dir", str(tmp_path), "--save", ""]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while not socket_path.exists():
        time.sleep(0.01)
    settings.REDIS_URL = f"unix://{socket_path}"
    broker.cache_clear()
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def site(turns: None, settings: Settings) -> Iterator[Site]:
    """The site on a socket, served by uvicorn as in real life."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = uvicorn.Config(application, lifespan="off", log_config=None, access_log=False)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Site(port)
    server.should_exit = True
    thread.join()
