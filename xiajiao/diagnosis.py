"""What `manage.py doctor` looks at beside the health of the parts: the folder, the machine, the settings."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.checks import run_checks
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext, ngettext

from xiajiao.embeddings import EmbeddingError, get_embedder
from xiajiao.health import Finding, check_broker, check_chat_model, check_consumers, check_database, check_embedder
from xiajiao.llm import list_models
from xiajiao.llm.base import ModelError
from xiajiao.llm.errors import explain
from xiajiao.llm.sources import is_offline, source_for
from xiajiao.supervisor.lock import find_holder

LEAST_FREE = 500 * 1024 * 1024


def examine() -> list[Finding]:
    """Every part and the ground that it stands on. Asks models over the network; takes seconds."""
    looks: list[Callable[[], Finding]] = [check_settings, check_folder, check_secret, check_disk, check_clock]
    looks += [check_running, check_database, check_migrations, check_broker, check_consumers]
    return [look() for look in [*looks, examine_embedder, examine_chat_model]]


def check_settings() -> Finding:
    found = run_checks()
    if not found:
        return Finding("settings", True, settings.BASE_URL)
    worst = max(found, key=lambda message: message.level)
    return Finding("settings", not worst.is_serious(), worst.msg, worst.hint or gettext("See docs/configuration.md."))


def check_folder() -> Finding:
    folder: Path = settings.DATA_DIR
    if not os.access(folder, os.W_OK | os.X_OK):
        step = gettext("Give this account the folder: chown -R %(user)s %(path)s")
        return Finding("data_folder", False, gettext("Not writable."), step % {"user": os.getuid(), "path": folder})
    if folder.stat().st_mode & 0o077:
        step = gettext("Close it: chmod 700 %(path)s") % {"path": folder}
        return Finding("data_folder", False, gettext("Other accounts of this machine can look into it."), step)
    return Finding("data_folder", True, str(folder))


def check_secret() -> Finding:
    path: Path = settings.DATA_DIR / "secret.key"
    if not path.exists():
        return Finding("secret", True, gettext("From SECRET_KEY."))
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        step = gettext("Close it: chmod 600 %(path)s") % {"path": path}
        return Finding("secret", False, gettext("Other accounts of this machine can read it."), step)
    return Finding("secret", True, gettext("Readable by this account alone."))


def check_disk() -> Finding:
    free = shutil.disk_usage(settings.DATA_DIR).free
    text = gettext("%(size).1f GB free.") % {"size": free / 1024**3}
    step = gettext("Make room on the disk that holds the data folder: at 0 nothing more is kept.")
    return Finding("disk", free >= LEAST_FREE, text, "" if free >= LEAST_FREE else step)


def check_clock() -> Finding:
    """A clock behind the program's own date would order memories wrongly and refuse certificates."""
    now = time.strftime("%Y-%m-%d %H:%M %z")
    is_behind = time.time() < (settings.BASE_DIR / "manage.py").stat().st_mtime - 24 * 60 * 60
    step = gettext("Set the machine's clock.")
    return Finding("clock", not is_behind, now, step if is_behind else "")


def check_running() -> Finding:
    holder = find_holder(settings.DATA_DIR)
    if holder is None:
        return Finding("running", False, gettext("Xiajiao does not run."), gettext("Start Xiajiao with `make run`."))
    return Finding("running", True, gettext("Process %(pid)s.") % {"pid": holder})


def check_migrations() -> Finding:
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError:
        return Finding("migrations", False, gettext("The database does not answer."))
    count = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if count:
        text = ngettext("%(count)s change is not applied.", "%(count)s changes are not applied.", count)
        step = gettext("Start Xiajiao with `make run`, which applies them after a backup.")
        return Finding("migrations", False, text % {"count": count}, step)
    return Finding("migrations", True, gettext("The database is up to date."))


def examine_embedder() -> Finding:
    """With the error's own words, which /readyz keeps to itself."""
    try:
        get_embedder().embed_queries(["ready"])
    except EmbeddingError as error:
        step = gettext("Check XIAJIAO_EMBEDDER and OPENAI_EMBEDDING_MODEL; `make setup` installs the local model.")
        return Finding("embedder", False, str(error), step)
    return check_embedder()


def examine_chat_model() -> Finding:
    """Asks the server for its models."""
    finding = check_chat_model()
    if not finding.ok or is_offline(source := source_for(None)):
        return finding
    try:
        names = list_models(source)
    except ModelError as error:
        return Finding("chat_model", False, explain(error.code), finding.next_step, is_needed=False)
    if names and source.model not in names:
        text = gettext("%(model)s is not among the models that the server lists.") % {"model": source.model}
        return Finding("chat_model", True, text, is_needed=False)
    return finding
