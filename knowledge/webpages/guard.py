"""The guard at the socket: a host's name is looked up once, each of its addresses judged, and only those connected to.

It stands below HTTP, so the Host header, the name in the TLS handshake and the certificate are the site's own, and what
was judged is what is connected to: there is no second look-up that could say something else.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from typing import Any

import httpcore2

from knowledge.webpages.failures import Failure, FetchError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], list[Address]]

# What Python 3.11 still calls global: special purposes of RFC 6890 and its heirs, and a cloud's own metadata address.
SPECIAL = tuple(
    ipaddress.ip_network(block)
    for block in (
        *("0.0.0.0/8", "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"),
        *("::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        *("5f00::/16", "fec0::/10"),
    )
)
NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Ports below this belong to other services; those of the web are the exception.
FIRST_FREE_PORT = 1024
WEB_PORTS = {80, 443}


def resolve(host: str, port: int) -> list[Address]:
    """All addresses of a host, as the system knows them. Raises FetchError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchError(Failure.NOT_FOUND, f"{host}: {error}") from error
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


def is_public(address: Address) -> bool:
    """Whether it belongs to the internet at large; an IPv4 address in an IPv6 one is judged by itself."""
    inner = embedded(address)
    if inner is not None:
        return is_public(inner)
    is_ordinary = address.is_global and not address.is_multicast and not address.is_reserved
    return is_ordinary and not any(address in block for block in SPECIAL)


def embedded(address: Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address to which packets for this one go: mapped, or through NAT64. Old tunnels are forbidden whole."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else address.ipv4_mapped


class Guard(httpcore2.NetworkBackend):
    """Connects to public addresses alone, and for no longer than until the deadline.

    `allowed` networks are let through as well: an intranet that an administrator names, or a test's loopback.
    """

    def __init__(self, allowed: Iterable[Network] = (), resolve: Resolve = resolve) -> None:
        self.allowed = tuple(allowed)
        self.resolve = resolve
        self.sockets = httpcore2.SyncBackend()
        self.deadline = float("inf")

    def start(self, seconds: float) -> None:
        """From now on, all that is done has so many seconds together."""
        self.deadline = time.monotonic() + seconds

    def vet(self, host: str, port: int) -> list[Address]:
        """The addresses of a host; FetchError where one of them is forbidden, for who mixes both means no good."""
        addresses = self.resolve(host, port)
        for address in addresses:
            if not self.is_allowed(address) and not (is_public(address) and is_web(port)):
                raise FetchError(Failure.FORBIDDEN_ADDRESS, f"{host}: {address} port {port}")
        return addresses

    def is_allowed(self, address: Address) -> bool:
        return any(address in network for network in self.allowed)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> TimedStream:
        failed: Exception | None = None
        for address in dict.fromkeys(self.vet(host, port)):
            try:
                seconds = left(self.deadline, timeout)
                stream = self.sockets.connect_tcp(str(address), port, seconds, local_address, socket_options)
                return TimedStream(stream, self.deadline)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed or httpcore2.ConnectError(f"{host} has no address")


def is_web(port: int) -> bool:
    return port in WEB_PORTS or port >= FIRST_FREE_PORT


def left(deadline: float, timeout: float | None) -> float:
    """Seconds for the next step; raises FetchError where there are none."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise FetchError(Failure.TIMED_OUT, "the whole took too long")
    return min(seconds, timeout or seconds)


class TimedStream(httpcore2.NetworkStream):
    """A stream whose every step ends at the deadline: a site that sends a byte a second can't hold a worker."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self.stream = stream
        self.deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, left(self.deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, left(self.deadline, timeout))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> TimedStream:
        stream = self.stream.start_tls(ssl_context, server_hostname, left(self.deadline, timeout))
        return TimedStream(stream, self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)
