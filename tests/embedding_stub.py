"""A real HTTP server that answers `/v1/embeddings` as a test says, however wrong; the real SDK talks to it."""

from __future__ import annotations

import base64
import json
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = tuple[int, dict[str, str], bytes]


class EmbeddingStub(ThreadingHTTPServer):
    """`answer` gets the texts of a request; `batches` are the texts of all requests so far."""

    daemon_threads = True

    def __init__(self, answer: Callable[[list[str]], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.batches: list[list[str]] = []
        self.base_url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    server: EmbeddingStub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.batches.append(texts)
        status, headers, body = self.server.answer(texts)
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def direction(text: str) -> list[float]:
    """(3,), not of length one; another one for each length of text."""
    return [float(len(text)), 1.0, 2.0]


def pack(row: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()


def answer_items(items: list[Any], **headers: str) -> Answer:
    return 200, headers, json.dumps({"object": "list", "data": items, "model": "stub"}).encode()


def answer_vectors(texts: list[str]) -> Answer:
    return answer_items([{"index": index, "embedding": direction(text)} for index, text in enumerate(texts)])


def refuse(status: int, message: str = "no", **headers: str) -> Answer:
    return status, headers, json.dumps({"error": {"message": message}}).encode()
