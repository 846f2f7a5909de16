"""Fetch one page: each address on the way vetted, nothing followed unseen, size and time bounded."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

import httpcore2
import httpx2

from knowledge.webpages.failures import Failure, FetchError
from knowledge.webpages.guard import Guard
from xiajiao.texts import clean, clip

REDIRECTS = {301, 302, 303, 307, 308}
HEADERS: dict[bytes | str, bytes | str] = {
    "User-Agent": "Xiajiao (knowledge base; fetches on a person's request)",
    "Accept": "text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5",
    "Accept-Encoding": "gzip, identity;q=0.5",
}
# Bytes of an address, and of a redirect's.
LONGEST_ADDRESS = 4000
LONGEST_NAME = 120
READABLE = (
    *("text/", "application/pdf", "application/json", "application/xhtml", "application/xml", "application/epub"),
    *("application/vnd.openxmlformats", "application/vnd.ms-excel", "application/vnd.oasis", "message/rfc822"),
    *("application/octet-stream", "application/zip", "application/x-ndjson", "application/rss", "application/atom"),
)


@dataclass(frozen=True)
class Bounds:
    """What one page may cost: seconds in all, seconds of silence, bytes unpacked, redirects."""

    seconds: float = 60
    silence: float = 15
    size: int = 50 * 1024 * 1024
    redirects: int = 5


@dataclass(frozen=True)
class Page:
    """What was fetched: where it came from in the end, what to call it (with an ending), and its type."""

    url: str
    name: str
    content_type: str


def fetch(url: str, target: Path, bounds: Bounds | None = None, guard: Guard | None = None) -> Page:
    """Write the page behind `url` to the file `target`. Raises FetchError; then the file may be there in part."""
    bounds, guard = bounds or Bounds(), guard or Guard()
    guard.start(bounds.seconds)
    address = parse_address(url)
    for _ in range(bounds.redirects + 1):
        with opened(address, guard) as pool:
            try:
                with pool.stream("GET", wire(address), headers=HEADERS, extensions=timeouts(bounds)) as response:
                    following = redirect_of(response, address)
                    if following is None:
                        return save(response, address, target, bounds)
            except httpcore2.TimeoutException as error:
                raise FetchError(Failure.TIMED_OUT, repr(error)) from error
            except (httpcore2.NetworkError, httpcore2.ProtocolError, ssl.SSLError) as error:
                raise FetchError(Failure.UNREACHABLE, f"{address.host}: {error!r}"[:300]) from error
        address = following
    raise FetchError(Failure.TOO_MANY_REDIRECTS, str(address))


def parse_address(url: str, base: httpx2.URL | None = None) -> httpx2.URL:
    """An absolute address of the web, without a name and password in it."""
    try:
        address = base.join(url) if base else httpx2.URL(url.strip())
    except (httpx2.InvalidURL, ValueError, UnicodeError) as error:
        raise FetchError(Failure.BAD_ADDRESS, str(error)[:200]) from error
    if address.scheme not in {"http", "https"} or not address.host or address.userinfo:
        raise FetchError(Failure.BAD_ADDRESS, address.scheme[:20] or "no scheme")
    if len(str(address)) > LONGEST_ADDRESS:
        raise FetchError(Failure.BAD_ADDRESS, "too long")
    return address


def opened(address: httpx2.URL, guard: Guard) -> httpcore2.ConnectionPool:
    """A connection for this one request: none is kept, so none outlives what was vetted. Proxies are not used."""
    context = httpx2.create_ssl_context() if address.scheme == "https" else None
    return httpcore2.ConnectionPool(ssl_context=context, max_keepalive_connections=0, network_backend=guard)


def wire(address: httpx2.URL) -> httpcore2.URL:
    scheme, host, target = address.raw_scheme, address.raw_host, address.raw_path
    return httpcore2.URL(scheme=scheme, host=host, port=address.port, target=target)


def timeouts(bounds: Bounds) -> dict[str, dict[str, float]]:
    return {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), bounds.silence)}


def header(response: httpcore2.Response, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in response.headers if key.lower() == name), "")


def redirect_of(response: httpcore2.Response, address: httpx2.URL) -> httpx2.URL | None:
    if response.status not in REDIRECTS:
        return None
    return parse_address(header(response, b"location"), base=address)


def save(response: httpcore2.Response, address: httpx2.URL, target: Path, bounds: Bounds) -> Page:
    content_type = header(response, b"content-type").partition(";")[0].strip().lower()
    if response.status != 200:
        raise FetchError(Failure.REFUSED, f"status {response.status}")
    if content_type and not content_type.startswith(READABLE):
        raise FetchError(Failure.WRONG_TYPE, content_type[:100])
    with target.open("wb") as file:
        for piece in bounded(unpacked(response), bounds.size):
            file.write(piece)
    return Page(str(address), name_of(response, address, content_type), content_type)


def unpacked(response: httpcore2.Response) -> Iterator[bytes]:
    """The body; gzip in steps of at most a megabyte, whatever it would unpack to at once."""
    encoding = header(response, b"content-encoding").lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        raise FetchError(Failure.WRONG_TYPE, f"content-encoding {encoding[:40]}")
    if encoding in {"", "identity"}:
        yield from response.iter_stream()
        return
    gunzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        for piece in response.iter_stream():
            yield gunzip.decompress(piece, 1 << 20)
            while gunzip.unconsumed_tail:
                yield gunzip.decompress(gunzip.unconsumed_tail, 1 << 20)
    except zlib.error as error:
        raise FetchError(Failure.UNREACHABLE, f"gzip: {error}") from error


def bounded(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        size -= len(piece)
        if size < 0:
            raise FetchError(Failure.TOO_LARGE)
        yield piece


def name_of(response: httpcore2.Response, address: httpx2.URL, content_type: str) -> str:
    """What to call the document: what the site says, or the last part of the address. A label, never a path."""
    said = Message()
    said["content-disposition"] = header(response, b"content-disposition")
    name = said.get_filename() or unquote(address.path.rstrip("/").rpartition("/")[2]) or address.host
    name = clip(clean(name).replace("/", "_").replace("\\", "_"), LONGEST_NAME)
    is_page = content_type in {"text/html", "application/xhtml+xml"}
    return f"{name}.html" if is_page and not name.lower().endswith((".html", ".htm", ".xhtml")) else name
