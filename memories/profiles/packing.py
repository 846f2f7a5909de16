"""The folder of profile files as one zip file, out and in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence

from django.utils import timezone

from memories.models import ProfileFile
from memories.profiles.bringing import Brought
from memories.profiles.layout import LARGEST, read_path
from xiajiao.zips import IS_ENCRYPTED, BrokenZipError, ManyMembersError, open_zip

MAC_LITTER = "__MACOSX/"
# Bytes of all that is unpacked of one zip file, files in it (each is a change of its own, in one request: five years
# of days and more), and names in its list, with the folders and what a Mac adds to each file.
LARGEST_UNPACKED, MOST_PACKED, LISTED = 20 * 2**20, 2_000, 10_000


def pack(files: Iterable[tuple[str, ProfileFile]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, file in files:
            changed = timezone.localtime(file.updated_at)
            entry = zipfile.ZipInfo(path, changed.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(entry, file.text.encode())
    return packed.getvalue()


class PackageError(Exception):
    """It can't be brought in, and none of it was. `code` is one of damaged, encrypted, too_large, too_many, empty."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_package(content: bytes) -> bool:
    """Whether it was meant as a zip file, whole or not."""
    try:
        return content.startswith(b"PK\3\4") or zipfile.is_zipfile(io.BytesIO(content))
    except zipfile.BadZipFile:
        return True


def unpack(content: bytes) -> Sequence[Brought]:
    """Whole, before any of it is used. Raises PackageError."""
    try:
        with open_zip(io.BytesIO(content), LISTED) as archive:
            return read_entries(archive)
    except BrokenZipError:
        raise PackageError("damaged") from None
    except ManyMembersError:
        raise PackageError("too_many") from None


def read_entries(archive: zipfile.ZipFile) -> Sequence[Brought]:
    """Raises PackageError."""
    entries = [each for each in archive.infolist() if not is_litter(each)]
    top = find_top([each.filename for each in entries])
    named = [(each.filename.removeprefix(top), each) for each in entries]
    profiles = [each for path, each in named if read_path(path)]
    if len(entries) > MOST_PACKED:
        raise PackageError("too_many")
    if sum(each.file_size for each in profiles) > LARGEST_UNPACKED:
        raise PackageError("too_large")
    if any(each.flag_bits & IS_ENCRYPTED for each in profiles):
        raise PackageError("encrypted")
    if not entries:
        raise PackageError("empty")
    return list(read_all(archive, named))


def read_all(archive: zipfile.ZipFile, named: Iterable[tuple[str, zipfile.ZipInfo]]) -> Iterator[Brought]:
    """What really comes out is counted, whatever the list says of it. Raises PackageError."""
    left = LARGEST_UNPACKED
    for path, entry in named:
        brought = read_entry(archive, entry, path)
        left -= len(brought.content)
        if left < 0:
            raise PackageError("too_large")
        yield brought


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
    """What no profile file is called like is not unpacked."""
    if (entry.external_attr >> 16) & 0o170000 == 0o120000:
        return Brought(path, fault="link")
    if read_path(path) is None:
        return Brought(path, fault="name")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise PackageError("damaged")  # of the others, a few bytes can claim gigabytes of memory
    with archive.open(entry) as opened:
        return Brought(path, opened.read(LARGEST + 1))
