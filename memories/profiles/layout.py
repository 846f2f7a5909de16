"""Where each profile file lies in a folder, and what a file there may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from memories.models import Agent, ProfileFile, ProfileKind
from memories.profiles.editing import LONGEST, ProfileKey, make_key
from xiajiao.models import User

FOLDER, DAYS = "memories", "daily"
FIXED = {
    "SOUL.md": ProfileKind.SOUL,
    f"{FOLDER}/USER.md": ProfileKind.USER,
    f"{FOLDER}/MEMORY.md": ProfileKind.MEMORY,
}
DAY = re.compile(rf"{FOLDER}/{DAYS}/(\d{{4}}-\d{{2}}-\d{{2}})\.md")
BYTE_ORDER_MARK = "\ufeff"
# Bytes of a file that can hold LONGEST characters, and of files of one folder.
LARGEST, MOST = 4 * LONGEST + 3, 5_000


class Place(NamedTuple):
    """`day` for DAILY alone."""

    kind: str
    day: date | None = None


def path_of(place: Place) -> str:
    """Below the folder: `memories/daily/2026-05-03.md`."""
    if place.day is not None:
        return f"{FOLDER}/{DAYS}/{place.day.isoformat()}.md"
    return next(path for path, kind in FIXED.items() if kind == place.kind)


def read_path(path: str) -> Place | None:
    """None for a name that the layout doesn't have."""
    if path in FIXED:
        return Place(FIXED[path])
    named = DAY.fullmatch(path)
    try:
        return Place(ProfileKind.DAILY, date.fromisoformat(named[1])) if named else None
    except ValueError:
        return None


def key_at(place: Place, agent: Agent, user_id: int) -> ProfileKey:
    return make_key(agent, place.kind, user_id, place.day)


class FileFaultError(ValueError):
    """`code` is one of not_utf8, binary, too_long."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_text(content: bytes) -> str:
    """To the byte, but for a byte order mark. Raises FileFaultError."""
    if len(content) > LARGEST:
        raise FileFaultError("too_long")
    try:
        text = content.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError:
        raise FileFaultError("not_utf8") from None
    if "\0" in text:
        raise FileFaultError("binary")
    if len(text) > LONGEST:
        raise FileFaultError("too_long")
    return text


def list_files(agent: Agent, user: User) -> Iterable[tuple[str, ProfileFile]]:
    """All that the person may read and were ever written, with their paths, the days in order: empty ones too, which
    stand for what was removed."""
    rows = ProfileFile.objects.for_user(user).filter(agent=agent, version__gt=0)
    return sorted((path_of(Place(row.kind, row.day)), row) for row in rows)
