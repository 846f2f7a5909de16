"""Files of transfers under the data folder."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from xiajiao.storage import find_path


def import_path(name: str) -> Path:
    return find_path(settings.IMPORTS_DIR, name)


def export_path(name: str) -> Path:
    return find_path(settings.EXPORTS_DIR, name)


def remove(path: Path) -> None:
    """The file and what lies beside it; gone already is as well."""
    for each in (path, plan_beside(path)):
        each.unlink(missing_ok=True)


def plan_beside(path: Path) -> Path:
    """Of an export: the keys of the memories that it is made of."""
    return path.with_suffix(".plan")
