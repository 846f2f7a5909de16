"""Settings that would start and then fail, or be dangerous: each stops every command with one sentence."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

# For commands that look at the settings alone: Django's own checks import every view.
TAG = "xiajiao"


@register(TAG)
def check_debug(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    if not settings.DEBUG or (is_loopback(settings.HOST) and is_loopback(urlsplit(settings.BASE_URL).hostname or "")):
        return []
    text = "XIAJIAO_DEBUG shows secrets to whoever sees an error page, and HOST or BASE_URL let others reach it."
    return [Error(text, hint="Unset XIAJIAO_DEBUG, or use HOST=127.0.0.1 without BASE_URL.", id="xiajiao.E001")]


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@register(TAG)
def check_base_url(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    parts = urlsplit(settings.BASE_URL)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        text = f"BASE_URL must begin with http:// or https:// and name a host, not {settings.BASE_URL!r}."
        return [Error(text, hint="For example https://chat.example.com", id="xiajiao.E002")]
    if parts.path.strip("/"):
        text = f"BASE_URL names a path ({parts.path}); Xiajiao needs a host name or port of its own."
        return [Error(text, id="xiajiao.E003")]
    if not is_loopback(settings.HOST) and is_loopback(parts.hostname):
        text = f"HOST lets others reach Xiajiao, but BASE_URL is {settings.BASE_URL}: only this machine is answered."
        hint = "Set BASE_URL to the address that people type, such as http://192.168.1.20:8600"
        return [Warning(text, hint=hint, id="xiajiao.W001")]
    return []


@register(TAG)
def check_numbers(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    least = {
        "TURN_THREADS": 1,
        "TURN_MAX_STEPS": 1,
        "WORKER_PROCESSES": 1,
        "HISTORY_TOKENS": 500,
        "MODEL_TIMEOUT": 1,
        "RECALL_DEADLINE": 0,
        "TEMPORARY_HOURS": 0,
    }
    return [
        Error(f"{name} must be {smallest} or more, not {getattr(settings, name)}.", id="xiajiao.E004")
        for name, smallest in least.items()
        if getattr(settings, name) < smallest
    ]


@register(TAG)
def check_models(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    errors: list[CheckMessage] = []
    if settings.EMBEDDER not in settings.EMBEDDERS:
        text = f"XIAJIAO_EMBEDDER must be one of {', '.join(settings.EMBEDDERS)}, not {settings.EMBEDDER!r}."
        errors.append(Error(text, id="xiajiao.E006"))
    if settings.RERANKER and settings.RERANKER not in settings.RERANKERS:
        text = f"XIAJIAO_RERANKER must be one of {', '.join(settings.RERANKERS)}, or empty."
        errors.append(Error(text, id="xiajiao.E013"))
    if settings.RERANKER == "endpoint" and not settings.RERANK_URL.startswith(("http://", "https://")):
        text = "RERANK_URL must be the whole address of a server with POST /rerank."
        errors.append(Error(text, hint="For example http://127.0.0.1:8080/v1/rerank", id="xiajiao.E014"))
    if settings.LOCAL_GGUF and not Path(settings.LOCAL_GGUF).expanduser().is_file():
        text = f"LOCAL_GGUF names {settings.LOCAL_GGUF}, and there is no such file."
        errors.append(Error(text, hint="Correct the path, or unset LOCAL_GGUF.", id="xiajiao.E007"))
    if settings.OPENAI_BASE_URL and not settings.OPENAI_BASE_URL.startswith(("http://", "https://")):
        text = "OPENAI_BASE_URL must begin with http:// or https://."
        errors.append(Error(text, hint="For example http://localhost:11434/v1", id="xiajiao.E008"))
    return errors
