"""The backend for every server that speaks OpenAI's chat completions, through the SDK."""

import logging
import os
import random
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, closing
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from httpx2 import HTTPError, InvalidURL
from openai import APIResponse, DefaultHttpxClient, OpenAI, OpenAIError, Timeout

from xiajiao.llm.assembly import ReplyAssembly
from xiajiao.llm.base import ChatRequest, ModelError, ModelEvent, ModelSource
from xiajiao.llm.concessions import concede, find_refused, remember, without
from xiajiao.llm.failures import blot_keys, model_error
from xiajiao.llm.names import read_names
from xiajiao.llm.wire import CutOffError, read_chunks
from xiajiao.texts import clean_json

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT = 5.0
LIST_TIMEOUT = 10.0
ATTEMPTS = 3
# Seconds that a person may wait for one retry; what a provider asks beyond that is told to them instead.
LONGEST_PAUSE = 8.0
RETRIED = {"rate_limited", "server_error", "unreachable", "cut_off"}
# Fifty turns that begin at once would else make fifty clients, each with certificates to read.
CONNECTING = Lock()


class OpenAIChatModel:
    def __init__(self, source: ModelSource) -> None:
        """Raises ModelError for a key or an address that can't even be sent."""
        self.source = source
        if not (source.api_key.isascii() and source.api_key.isprintable()):
            raise ModelError("unauthorized")
        try:
            with CONNECTING:
                self.client = connect(source.base_url, source.api_key, settings.MODEL_TIMEOUT)
        except InvalidURL as error:
            raise ModelError("not_found", str(error)) from error

    def stream(self, request: ChatRequest) -> Generator[ModelEvent, None, None]:
        """Tries again what failed before the first event; never what has begun to speak."""
        body = concede(self.source, self.body_of(request))
        left_out: set[str] = set()
        attempt = 1
        while True:
            has_begun = False
            try:
                with closing(self.attempt(without(body, left_out))) as events:
                    for event in events:
                        has_begun = True
                        yield event
            except ModelError as error:
                if has_begun:
                    raise
                name = find_refused(error, without(body, left_out))
                if name:
                    left_out.add(name)
                else:
                    wait_or_raise(error, attempt)
                    attempt += 1
            else:
                if left_out:
                    remember(self.source, left_out)
                return

    def attempt(self, body: dict[str, Any]) -> Generator[ModelEvent, None, None]:
        assembly = ReplyAssembly()
        try:
            with self.open(body) as response:
                for chunk in read_chunks(response.iter_bytes()):
                    yield from assembly.add(chunk)
        except (OpenAIError, HTTPError, CutOffError) as error:
            if not assembly.finish_reason:
                raise model_error(error, self.source.api_key) from error
        except UnicodeError as error:
            # A host name that no name server could be asked for.
            raise ModelError("not_found", str(error)) from error
        except ModelError as error:
            raise ModelError(error.code, blot_keys(error.detail, self.source.api_key), error.retry_after) from error
        yield from assembly.finish()

    def open(self, body: dict[str, Any]) -> AbstractContextManager[APIResponse[Any]]:
        """As `extra_body` the SDK sends it untouched: walking a long history by its types takes it 10 ms and more."""
        create = self.client.chat.completions.with_streaming_response.create
        return create(model=body["model"], messages=[], stream=True, extra_body=body)

    def body_of(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.source.model or self.only_model(),
            "messages": clean_json(request.messages),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.tools:
            body["tools"] = clean_json(request.tools)
        for name in ("temperature", "max_tokens", "response_format"):
            if getattr(request, name) is not None:
                body[name] = getattr(request, name)
        return body

    def only_model(self) -> str:
        """The name of the server's single model; of several none may be chosen silently."""
        names = self.list_models()
        if len(names) != 1:
            raise ModelError("no_model")
        return names[0]

    def list_models(self) -> list[str]:
        try:
            listed = self.client.get("/models", cast_to=object, options={"timeout": LIST_TIMEOUT})
        except (OpenAIError, HTTPError) as error:
            raise model_error(error, self.source.api_key) from error
        except UnicodeError as error:
            raise ModelError("not_found", str(error)) from error
        except (ValueError, RecursionError) as error:
            raise ModelError("bad_reply") from error
        return names_in(listed)


@lru_cache(maxsize=64)
def connect(base_url: str, api_key: str, timeout: float) -> OpenAI:
    """One client, with its open connections, for all threads of the process."""
    limits = Timeout(timeout, connect=CONNECT_TIMEOUT)
    # A proxy of the environment can't reach this machine's own servers.
    is_local = urlsplit(base_url).hostname in {"localhost", "127.0.0.1", "::1"}
    client = DefaultHttpxClient(timeout=limits, trust_env=False) if is_local else None
    return OpenAI(base_url=base_url, api_key=api_key or "none", timeout=limits, max_retries=0, http_client=client)


# Sockets of the parent are not the child's to use.
os.register_at_fork(after_in_child=connect.cache_clear)


def wait_or_raise(error: ModelError, attempt: int) -> None:
    """Wait before the next attempt as the server asks, else half a second, doubled each time, with some chance."""
    pause = error.retry_after
    if pause is None:
        pause = 0.5 * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)  # noqa: S311
    if error.code not in RETRIED or attempt >= ATTEMPTS or pause > LONGEST_PAUSE:
        raise error
    logger.warning("Chat model: %s; trying again in %.1f s", error.code, pause)
    time.sleep(pause)


def names_in(listed: object) -> list[str]:
    """The names in a reply to /v1/models. Raises ModelError where it is no such reply."""
    rows = listed.get("data", listed.get("models")) if isinstance(listed, dict) else listed
    if not isinstance(rows, list):
        raise ModelError("bad_reply")
    return read_names(row.get("id") or row.get("name") if isinstance(row, dict) else row for row in rows)
