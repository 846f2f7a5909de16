"""A person's own model file: the server that `up` starts for LOCAL_GGUF, and its provider."""

from __future__ import annotations

import socket
import sys
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from xiajiao.models import Provider


class GGUFError(Exception):
    """Why the model file can't be served, and what to do about it; for a person to read."""


def check_gguf() -> None:
    """Raises GGUFError where LOCAL_GGUF can't be served here."""
    path = model_path()
    if not path.is_file():
        raise GGUFError(gettext("LOCAL_GGUF names %(path)s, and there is no such file.") % {"path": path})
    if path.open("rb").read(4) != b"GGUF":
        raise GGUFError(gettext("LOCAL_GGUF names %(path)s, which is no GGUF file.") % {"path": path})
    if find_spec("xllamacpp") is None:
        raise GGUFError(
            gettext("LOCAL_GGUF is set, but its server is not installed: pip install -r requirements-gguf.txt")
        )


def prepare_server() -> list[str]:
    """The command line that serves LOCAL_GGUF on a free port, which its provider now names. Raises GGUFError.

    Call it once per start, after migrating; a restart of the server takes the same command line.
    """
    check_gguf()
    port = free_port()
    sync_gguf_provider(port)
    return [sys.executable, "-m", "xiajiao.llm.gguf_server", str(model_path()), str(port)]


@transaction.atomic
def sync_gguf_provider(port: int) -> Provider:
    provider = Provider.objects.filter(source=Provider.Source.GGUF).first()
    provider = provider or Provider(source=Provider.Source.GGUF)
    is_new = provider.pk is None
    provider.name = Provider.objects.free_name(model_path().stem[:90], provider.pk)
    provider.base_url = f"http://127.0.0.1:{port}/v1"
    provider.default_model = model_path().stem[:200]
    provider.model_names = [provider.default_model]
    provider.save()
    if is_new:
        provider.make_default_if_none()
    return provider


def model_path() -> Path:
    return Path(settings.LOCAL_GGUF).expanduser()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
