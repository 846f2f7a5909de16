"""Whether each part works, with a reason: for /readyz, and for `manage.py doctor`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.translation import gettext, ngettext

from xiajiao.broker import connect
from xiajiao.celery import app
from xiajiao.consumers import unserved_queues
from xiajiao.embeddings import EmbeddingError, fallback_reason, get_embedder
from xiajiao.llm.errors import explain
from xiajiao.llm.sources import is_offline, source_for

# Seconds that an embedder's state is believed: it costs a computation, or money.
BELIEVED_IF_OK, BELIEVED_IF_NOT = 300.0, 20.0


@dataclass(frozen=True)
class Finding:
    """One part: does it work, why, and what a person does next. No secrets, no addresses: anyone may read it."""

    part: str
    ok: bool
    reason: str
    next_step: str = ""
    # A part that may be missing (the chat model): its absence is told and is no failure.
    is_needed: bool = True


def check_all() -> list[Finding]:
    """Cheap enough to be asked every few seconds."""
    return [check_database(), check_broker(), check_consumers(), believed_embedder(), check_chat_model()]


def is_ready(findings: list[Finding]) -> bool:
    return all(finding.ok for finding in findings if finding.is_needed)


def check_database() -> Finding:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        step = gettext("Check DATABASE_URL, and that the database runs and its disk is not full.")
        return Finding("database", False, type(error).__name__, step)
    return Finding("database", True, connection.vendor)


def check_broker() -> Finding:
    try:
        with connect() as client:
            client.ping()
    except redis.RedisError as error:
        step = gettext("Start Xiajiao with `make run`.") if settings.EMBEDDED_BROKER else gettext("Check REDIS_URL.")
        return Finding("broker", False, type(error).__name__, step)
    return Finding("broker", True, gettext("built in") if settings.EMBEDDED_BROKER else gettext("at REDIS_URL"))


def check_consumers() -> Finding:
    try:
        missing = unserved_queues(app)
    except redis.RedisError:
        return Finding("consumers", False, gettext("The broker does not answer."), gettext("See the broker above."))
    if missing:
        text = ngettext("No worker takes jobs from %(names)s.", "No worker takes jobs from %(names)s.", len(missing))
        step = gettext("Start Xiajiao with `make run`, or read logs/worker.log in the data folder.")
        return Finding("consumers", False, text % {"names": ", ".join(missing)}, step)
    return Finding("consumers", True, gettext("Every queue has a worker."))


def check_embedder() -> Finding:
    """Embeds a word: loads a local model, asks a remote one."""
    try:
        embedder = get_embedder()
        embedder.embed_queries(["ready"])
    except EmbeddingError as error:
        step = gettext("Run `manage.py doctor`, which shows the error; full text serves meanwhile.")
        return Finding("embedder", False, type(error).__name__, step)
    stand_in = fallback_reason()
    if stand_in:
        text = gettext("%(name)s stands in: %(why)s")
        return Finding("embedder", True, text % {"name": embedder.name, "why": stand_in})
    return Finding("embedder", True, f"{embedder.name}, {embedder.dim}")


def check_chat_model() -> Finding:
    """What is configured; nothing is asked over the network."""
    step = gettext("Connect a model in Settings → Models.")
    try:
        source = source_for(None)
    except DatabaseError:
        reason = gettext("The database does not answer.")
        return Finding("chat_model", False, reason, gettext("See the database above."), is_needed=False)
    if is_offline(source):
        return Finding("chat_model", True, gettext("No model is connected: offline mode."), step, is_needed=False)
    if source.problem:
        return Finding("chat_model", False, explain(source.problem), step, is_needed=False)
    if not source.model:
        return Finding("chat_model", False, explain("no_model"), step, is_needed=False)
    return Finding("chat_model", True, source.model, is_needed=False)


class Believed:
    """The last finding of a costly check, asked again when it is too old; once, whoever else waits."""

    def __init__(self, check: Callable[[], Finding]) -> None:
        self.check = check
        self.lock = Lock()
        self.finding: Finding | None = None
        self.until = 0.0

    def __call__(self) -> Finding:
        with self.lock:
            if self.finding is None or time.monotonic() > self.until:
                self.finding = self.check()
                self.until = time.monotonic() + (BELIEVED_IF_OK if self.finding.ok else BELIEVED_IF_NOT)
            return self.finding


believed_embedder = Believed(check_embedder)
