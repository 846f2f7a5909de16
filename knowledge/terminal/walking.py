"""The files that a command is told of: those of folders too, and why some are passed over."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from knowledge.parsing.archives import LITTER, is_litter
from knowledge.parsing.words import REASONS
from knowledge.readers.kinds import raise_if_foreign
from knowledge.readers.limits import MEGABYTE
from knowledge.readers.reasons import ParseError, Reason

HEAD = 8192


class Why(StrEnum):
    """Why a file of a folder is passed over."""

    HIDDEN = "hidden"
    LITTER = "litter"
    LINK = "link"
    SPECIAL = "special"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    # This one alone is a failure: somebody meant it, and it isn't there.
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Source:
    """`name`: below the folder that was named, with it: `handbook/leave.md`."""

    path: Path
    name: str


@dataclass(frozen=True)
class Skipped:
    path: Path
    why: Why
    detail: str = ""


def walk(paths: Iterable[Path]) -> Iterator[Source | Skipped]:
    """In the order of the names. A file that is named itself is taken whatever it is; its document says what is wrong.

    Raises CommandError for a path that leads nowhere, before anything comes.
    """
    chosen = list(paths)
    for path in chosen:
        check(path)
    for path in chosen:
        if path.is_dir():
            yield from walk_folder(path)
        else:
            yield Source(path, path.name)


def check(path: Path) -> None:
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            with path.open("rb") as file:
                file.read(1)
    except FileNotFoundError:
        raise CommandError(_("There is no file %(path)s.") % {"path": path}) from None
    except OSError as error:
        raise CommandError(_("%(path)s can't be read: %(why)s.") % {"path": path, "why": error.strerror}) from None


def walk_folder(folder: Path) -> Iterator[Source | Skipped]:
    top = folder.resolve()
    lost: list[OSError] = []
    for place, folders, files in os.walk(top, onerror=lost.append):
        yield from (Skipped(Path(place, name), Why.HIDDEN) for name in sorted(folders) if is_hidden(name))
        yield from (Skipped(Path(place, name), Why.LINK) for name in sorted(folders) if Path(place, name).is_symlink())
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(files):
            path = Path(place, name)
            fault = find_fault(path)
            yield fault or Source(path, path.relative_to(top.parent).as_posix())
    yield from (Skipped(Path(error.filename), Why.UNREADABLE, error.strerror or "") for error in lost)


def is_hidden(name: str) -> bool:
    return name.startswith(".") or f"{name}/" in LITTER


def find_fault(path: Path) -> Skipped | None:
    """What speaks against a file that nobody named."""
    if is_litter(path.name):
        return Skipped(path, Why.LITTER)
    if is_hidden(path.name):
        return Skipped(path, Why.HIDDEN)
    try:
        return find_fault_within(path)
    except OSError as error:
        return Skipped(path, Why.UNREADABLE, error.strerror or "")


def find_fault_within(path: Path) -> Skipped | None:
    """Raises OSError."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return Skipped(path, Why.LINK)
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, Why.SPECIAL)
    if not status.st_size:
        return Skipped(path, Why.EMPTY)
    if status.st_size > settings.KB_FILE_MAX_MB * MEGABYTE:
        return Skipped(path, Why.TOO_LARGE, str(settings.KB_FILE_MAX_MB))
    with path.open("rb") as file:
        try:
            raise_if_foreign(file.read(HEAD))
        except ParseError as error:
            return Skipped(path, Why.UNSUPPORTED, error.detail)
    return None


def explain_skip(skipped: Skipped) -> str:
    texts = {
        Why.HIDDEN: _("hidden"),
        Why.LITTER: _("litter of the system"),
        Why.LINK: _("a link, which is not followed"),
        Why.SPECIAL: _("no ordinary file"),
        Why.EMPTY: _("nothing in it"),
        Why.TOO_LARGE: _("larger than %(most)s MB: split it, or raise KB_FILE_MAX_MB"),
        Why.UNSUPPORTED: str(REASONS[Reason.UNSUPPORTED].what),
        Why.UNREADABLE: _("can't be read: %(why)s"),
    }
    said = texts[skipped.why] % {"most": skipped.detail, "why": skipped.detail}
    is_kind = skipped.why == Why.UNSUPPORTED and skipped.detail
    return f"{said} ({skipped.detail})" if is_kind else said
