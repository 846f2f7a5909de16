"""The address that people reach: bound once by `up`, so that nobody takes it while the web server restarts."""

from __future__ import annotations

import errno
import socket

from django.utils.translation import gettext


class AddressError(Exception):
    """The address can't be had; the text is for the person at the terminal."""


def open_listener(host: str, port: int) -> socket.socket:
    """A listening socket, inheritable by the web server. Raises AddressError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise AddressError(explain(error, host, port)) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise AddressError(explain(error, host, port)) from None
    return listener


def explain(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return gettext(
            "Another program already uses port %(port)s on %(host)s. Choose another port: make run PORT=%(other)s"
        ) % {"port": port, "host": host, "other": port + 1}
    if error.errno == errno.EACCES:
        return gettext("This account may not use port %(port)s. Choose one above 1023: make run PORT=8600") % {
            "port": port
        }
    return gettext("%(host)s is no address of this machine (%(reason)s). Set HOST to 127.0.0.1 or 0.0.0.0.") % {
        "host": host,
        "reason": error.strerror or error,
    }
