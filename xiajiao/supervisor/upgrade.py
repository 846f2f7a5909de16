"""Bring the database to what this version needs, with a copy of it first."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext

KEPT_BACKUPS = 5


class UpgradeError(Exception):
    """The database can't be brought up to date; the text is for the person at the terminal."""


def upgrade(say: Callable[[str], None]) -> None:
    """Apply what is unapplied; a database with content is copied first. Raises UpgradeError."""
    executor = MigrationExecutor(connection)
    applied = set(executor.loader.applied_migrations)
    refuse_newer(applied - set(executor.loader.graph.nodes), executor.loader.migrated_apps)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if applied:
        say(backup_before_upgrade())
    call_command("migrate", verbosity=0, interactive=False)


def refuse_newer(unknown: set[tuple[str, str]], apps: set[str]) -> None:
    ours = sorted(f"{app}.{name}" for app, name in unknown if app in apps)
    if ours:
        text = gettext("This data folder was last used by a newer Xiajiao (%(names)s). Start that one, or a backup.")
        raise UpgradeError(text % {"names": ", ".join(ours)})


def backup_before_upgrade() -> str:
    """A sentence on what was kept where; a server's own database is its owner's to back up."""
    if connection.vendor != "sqlite":
        return gettext("Upgrading the database. (Back it up yourself before upgrades, for example with pg_dump.)")
    try:
        copy = backup(Path(settings.DATABASES["default"]["NAME"]), settings.BACKUPS_DIR)
    except (OSError, sqlite3.Error) as error:
        text = gettext("The database could not be copied before its upgrade (%(reason)s). Nothing was changed.")
        raise UpgradeError(text % {"reason": error}) from None
    return gettext("Upgrading the database; a copy of the old one is %(path)s") % {"path": copy}


def backup(database: Path, folder: Path) -> Path:
    """A consistent copy (mode 0600) of a database that may be in use; the oldest beyond KEPT_BACKUPS are removed."""
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"xiajiao-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.db"
    draft = copy.with_suffix(".part")
    draft.touch(mode=0o600)
    try:
        copy_database(database, draft)
        os.replace(draft, copy)
    finally:
        draft.unlink(missing_ok=True)
    for old in sorted(folder.glob("xiajiao-*.db"))[:-KEPT_BACKUPS]:
        old.unlink()
    return copy


def copy_database(database: Path, target: Path) -> None:
    source = sqlite3.connect(database)
    destination = sqlite3.connect(target)
    try:
        source.backup(destination)
        # One file, whole by itself: else whoever opens it makes two more beside it.
        destination.execute("PRAGMA journal_mode=DELETE")
    finally:
        source.close()
        destination.close()
