"""Where a memory's words may lie on their way in and out: in files of imports and exports, which are kept for a day."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.models import Export, Import, ImportLine
from memories.transfer.exporting import cancel_export
from memories.transfer.readers import tables
from memories.transfer.starting import cancel_import, discard
from memories.transfer.storage import export_path, import_path, remove
from xiajiao.places import Forgotten, Place, register


def find_imports(forgotten: Forgotten) -> list[Import]:
    """Of a database nobody can tell what it holds: a text may lie there in pieces."""
    jobs = Import.objects.filter(may_hold(forgotten, "user", "person")).exclude(stored_as="")
    told = set(find_lines(forgotten))
    return [
        job
        for job in jobs
        if job.pk in told or job.format in tables.NAMES or holds(import_path(job.stored_as), forgotten.telling)
    ]


def may_hold(forgotten: Forgotten, *people: str) -> Q:
    """Files of the person and of staff: what others brought along or took out is their own, in whatever words."""
    wanted = Q(user__is_staff=True)
    for name in people:
        wanted |= Q(**{name: forgotten.user_id})
    return wanted if forgotten.user_id is not None else Q()


def find_lines(forgotten: Forgotten) -> Iterable[int]:
    """Jobs of which a line became the memory, or shows one of its wordings."""
    said = Q(memory=forgotten.memory_id)
    for wording in forgotten.telling:
        said |= Q(excerpt__contains=wording[:150])
    return ImportLine.objects.filter(said).order_by().values_list("transfer", flat=True).distinct()


def find_exports(forgotten: Forgotten) -> list[Export]:
    jobs = Export.objects.filter(may_hold(forgotten, "user")).exclude(stored_as="")
    return [job for job in jobs if holds(export_path(job.stored_as), forgotten.telling)]


def holds(path: Path, wordings: Sequence[str]) -> bool:
    """As they stand in text of either encoding, and in JSON of either spelling."""
    spelled = {
        each.encode("utf-8", "surrogatepass")
        for text in wordings
        for each in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    }
    spelled |= {text.encode("gb18030", "replace") for text in wordings}
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return any(content.find(text) >= 0 for text in spelled)
    except (FileNotFoundError, ValueError):
        return False  # gone, or empty


def count_imports(forgotten: Forgotten) -> int:
    return len(find_imports(forgotten))


def discard_imports(forgotten: Forgotten) -> int:
    """The whole file, with the beginnings of its lines; what came of them stays told. One that runs stops."""
    jobs = find_imports(forgotten)
    for job in jobs:
        if job.is_running:
            cancel_import(job)
        discard(job)
    return len(jobs)


def count_exports(forgotten: Forgotten) -> int:
    return len(find_exports(forgotten))


def remove_exports(forgotten: Forgotten) -> int:
    jobs = find_exports(forgotten)
    for job in jobs:
        if job.is_running:
            cancel_export(job)
        else:
            remove(export_path(job.stored_as))
            Export.objects.filter(pk=job.pk).update(state=Export.State.GONE, stored_as="")
    return len(jobs)


register(Place("imports", _("files of imports"), count_imports, discard_imports, rank=75, strike=discard_imports))
register(Place("exports", _("files of exports"), count_exports, remove_exports, rank=76, strike=remove_exports))
