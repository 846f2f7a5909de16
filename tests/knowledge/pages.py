"""A small web site on loopback, for tests of what fetches pages: each path answers as it is told."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)

Answer = Callable[[BaseHTTPRequestHandler], None]


class Site(ThreadingHTTPServer):
    """`answers` maps paths to functions that write the whole answer; `hosts` notes the Host header of each request."""

    daemon_threads = True

    def __init__(self, answers: dict[str, Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.hosts: list[str] = []
        self.ending = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.shutdown()
        self.server_close()

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.hosts.append(self.headers["Host"])
        self.server.answers[self.path](self)

    def log_message(self, *_: object) -> None:
        pass


def says(body: bytes, content_type: str = "text/html", status: int = 200, **headers: str) -> Answer:
    """Answers with this; `content_encoding="gzip"` becomes the header Content-Encoding."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def sends_to(location: str) -> Answer:
    return says(b"", status=302, location=location)


def drips(handler: BaseHTTPRequestHandler) -> None:
    """A byte every tenth of a second, for ever: never silent, never done."""
    assert isinstance(handler.server, Site)
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    while not handler.server.ending.wait(0.1):
        try:
            handler.wfile.write(b"x")
        except OSError:
            return


class SecretListener:
    """Speaks TLS on loopback with a certificate that nobody trusts; `names` notes which site each caller wants."""

    def __init__(self, folder: Path) -> None:
        self.names: list[str | None] = []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self_signed(folder))
        self.context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self.answer, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()

    def answer(self) -> None:
        caller, _address = self.listener.accept()
        with contextlib.suppress(OSError), caller, self.context.wrap_socket(caller, server_side=True):
            pass


def self_signed(folder: Path) -> Path:
    """A file with a new key and a certificate of its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pinned.example")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + DAY)
    certificate = builder.sign(key, hashes.SHA256())
    path = folder / "certificate.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
    return path
