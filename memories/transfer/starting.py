"""Beginning an import, and what the person says about it on the way."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from memories.models import Import
from memories.transfer.storage import import_path, remove
from xiajiao.claims import claim, release
from xiajiao.models import User
from xiajiao.storage import make_path
from xiajiao.texts import clean, clip

State = Import.State


def begin_import(user: User, path: Path, is_moved: bool = False, **columns: Any) -> Import:
    """A copy of the file under a name of our own, and the job that looks through it.

    `is_moved`: the file itself is taken. `columns` are those of an Import; a plain person imports for nobody else.
    """
    kept = make_path(settings.IMPORTS_DIR)
    if is_moved:
        shutil.move(path, kept)
    else:
        shutil.copyfile(path, kept)
    columns["given_name"] = clip(clean(str(columns.get("given_name", ""))), 200)
    if not user.is_staff or "person" not in columns:
        columns["person"] = user
    return Import.objects.create(user=user, stored_as=kept.name, size=kept.stat().st_size, **columns)


def check_again(job: Import, **columns: Any) -> bool:
    """With another format, agent or person; what the first look found is forgotten. False where it can't be."""
    fresh = {"state": State.CHECKING, "error": "", "total": 0, "forecast": {}, "makes": {}, "finished_at": None}
    if not job.user.is_staff:
        columns["person"] = job.user
    with transaction.atomic():
        is_begun = restart(job, (State.CHECKED, State.FAILED, State.CANCELLED), **fresh, **columns)
        if is_begun:
            job.lines.all().delete()
    return is_begun


def agree(job: Import, **columns: Any) -> bool:
    """Write what the dry run has shown, with `conflicts` and `brings_back` as chosen; False where it is under way."""
    return restart(job, (State.CHECKED,), state=State.WRITING, **columns)


def retry(job: Import) -> bool:
    """Go on where it was cancelled or failed; what is in is not done again."""
    if not job.forecast:
        return check_again(job)
    return restart(job, (State.CANCELLED, State.FAILED), state=State.WRITING, error="", finished_at=None)


def restart(job: Import, states: tuple[str, ...], **columns: Any) -> bool:
    fresh = {"cursor": 0, "position": 0, "attempts": 0, "claim": "", "heartbeat": None, "is_cancelled": False}
    rows = Import.objects.filter(Q(state__in=states), pk=job.pk).exclude(stored_as="")
    return bool(rows.update(**(fresh | columns)))


def cancel_import(job: Import) -> None:
    """The worker stops after its batch, and what is in stays; where none works at it, looking through ends at once."""
    Import.objects.filter(pk=job.pk).update(is_cancelled=True)
    ours = claim(job)
    if ours is not None and ours.state == State.CHECKING:
        release(ours, state=State.CANCELLED)
    elif ours is not None:
        release(ours)


def discard(job: Import) -> None:
    """The file goes; the report stays, without what the lines of the file said."""
    if job.stored_as:
        remove(import_path(job.stored_as))
    Import.objects.filter(pk=job.pk).update(stored_as="")
    job.lines.exclude(excerpt="").update(excerpt="")
