"""The receipt: where was looked, what was removed, and what can't be reached from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.utils.functional import Promise

from chat.models import Forgetting
from xiajiao.places import all_places


@dataclass(frozen=True)
class Line:
    name: Promise | str
    count: int


@dataclass(frozen=True)
class Backups:
    """Copies of the database that were made before it was forgotten, and of which it is therefore not gone."""

    count: int
    newest: datetime


@dataclass(frozen=True)
class Receipt:
    """`empty`: places in which nothing was found."""

    lines: Sequence[Line]
    empty: Sequence[Line]
    backups: Backups | None


def write_receipt(forgetting: Forgetting) -> Receipt:
    names = {place.key: place.name for place in all_places()}
    lines = [Line(names.get(key, key), count) for key, count in forgetting.removed.items()]
    found, empty = [line for line in lines if line.count], [line for line in lines if not line.count]
    return Receipt(found, empty, find_backups(forgetting.finished_at))


def find_backups(before: datetime | None = None) -> Backups | None:
    """None where there are none in the data folder."""
    files = settings.BACKUPS_DIR.glob("*") if settings.BACKUPS_DIR.is_dir() else []
    times = [datetime.fromtimestamp(path.stat().st_mtime, tz=UTC) for path in files if path.is_file()]
    older = [moment for moment in times if before is None or moment <= before]
    return Backups(len(older), max(older)) if older else None
