"""The whole site on a free port: real uvicorn, real ASGI application, the test's database."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from chat.runner import runner

PATIENCE = 60.0  # seconds


@dataclass(frozen=True)
class Serving:
    address: str
    server: uvicorn.Server

    def settle(self) -> None:
        """Stop the turns and let the requests come to their end: a flush of the tables would meet them half-way."""
        runner().shut_down()
        runner.cache_clear()
        until = time.monotonic() + PATIENCE
        while self.server.server_state.tasks and time.monotonic() < until:
            time.sleep(0.01)


@contextmanager
def serve(application: str = "xiajiao.asgi:application") -> Iterator[Serving]:
    """Connections wait in the socket's queue until the server takes them."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(application, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="site")
    thread.start()
    try:
        yield Serving(f"http://127.0.0.1:{listener.getsockname()[1]}", server)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
