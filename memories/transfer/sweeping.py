"""Files of transfers that nobody needs any more: they hold what people said, and are not kept for ever."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from memories.models import Export, Import
from memories.transfer.starting import discard
from memories.transfer.storage import export_path, remove
from xiajiao.storage import remove_old

KEPT = timedelta(days=1)


def remove_old_files() -> int:
    """Exports a day after they were ready, files of imports a day after the last thing was done with them."""
    long_ago = timezone.now() - KEPT
    quiet = Q(heartbeat__lt=long_ago) | Q(heartbeat__isnull=True, created_at__lt=long_ago)
    removed = 0
    for job in Import.objects.filter(quiet).exclude(stored_as="").exclude(state__in=Import.WORKED_AT):
        discard(job)
        removed += 1
    for export in Export.objects.filter(quiet, state=Export.State.READY):
        remove(export_path(export.stored_as))
        Export.objects.filter(pk=export.pk).update(state=Export.State.GONE, stored_as="")
        removed += 1
    return removed + remove_strays()


def remove_strays() -> int:
    """Files whose row is gone: a person who was deleted, an upload that ended half-way."""
    known = set(Import.objects.exclude(stored_as="").values_list("stored_as", flat=True))
    known |= set(Export.objects.exclude(stored_as="").values_list("stored_as", flat=True))
    removed = sum(remove_old(folder, KEPT, known) for folder in (settings.IMPORTS_DIR, settings.EXPORTS_DIR))
    return removed + remove_old(Path(settings.FILE_UPLOAD_TEMP_DIR), KEPT)
