"""The folder of profile files as one zip file, out and in."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from django.utils import timezone

from memories.models import ProfileFile
from memories.profiles.bringing import Brought
from memories.profiles.layout import LARGEST, MOST, read_path

UNREADABLE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError, zlib.error)
MAC_LITTER = "__MACOSX/"


def pack(files: Iterable[tuple[str, ProfileFile]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, file in files:
            changed = timezone.localtime(file.updated_at)
            entry = zipfile.ZipInfo(path, changed.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(entry, file.text.encode())
    return packed.getvalue()


def unpack(file: BinaryIO) -> Iterator[Brought]:
    """Raises zipfile.BadZipFile where it is none."""
    with zipfile.ZipFile(file) as archive:
        entries = [each for each in archive.infolist() if not is_litter(each)]
        top = find_top([each.filename for each in entries])
        for entry in entries[:MOST]:
            yield read_entry(archive, entry, entry.filename.removeprefix(top))
        if len(entries) > MOST:
            yield Brought(top or "…", fault="too_many")


def is_litter(entry: zipfile.ZipInfo) -> bool:
    is_hidden = entry.filename.rpartition("/")[2].startswith(".")
    return entry.is_dir() or is_hidden or entry.filename.startswith(MAC_LITTER)


def find_top(names: Sequence[str]) -> str:
    """The one folder that holds it all, where it was packed along."""
    top = names[0].partition("/")[0] + "/" if names else ""
    is_within = all(name.startswith(top) for name in names)
    is_useful = any(read_path(name.removeprefix(top)) for name in names) and not any(map(read_path, names))
    return top if is_within and is_useful else ""


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str) -> Brought:
    if (entry.external_attr >> 16) & 0o170000 == 0o120000:
        return Brought(path, fault="link")
    try:
        with archive.open(entry) as opened:
            return Brought(path, opened.read(LARGEST + 1))
    except UNREADABLE:
        return Brought(path, fault="unreadable")
