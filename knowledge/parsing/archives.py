"""Archives: each member a document of its own. Their names are labels, never paths."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from knowledge.readers.kinds import kind_of
from knowledge.readers.limits import MEGABYTE, Limits
from knowledge.readers.packages import check_unpacked, opened
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from xiajiao.texts import clean

# Members that systems add of themselves.
LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
# Of Office beside a document that is open.
LOCKS = ("~$", ".~lock.")
IS_UTF8 = 0x800
LONGEST_NAME = 1000


@dataclass(frozen=True)
class Member:
    """A file out of an archive: what it is called in there (`reports/2024/甲.pdf`), and where its bytes lie now.

    The path is good until the next member is asked for.
    """

    name: str
    path: Path


def is_archive(path: Path, name: str, limits: Limits | None = None) -> bool:
    """Whether it is a zip of documents, by its content: a docx is none. Raises ParseError."""
    return kind_of(Reading(name, path, limits or Limits())) == "zip"


def extract(path: Path, name: str, limits: Limits | None = None) -> Iterator[Member]:
    """The documents in a zip file, those in zip files inside it too, in their order, one at a time in a file of ours.

    Folders, links and the litter of systems are passed over. Raises ParseError: `too_large` for what unpacks to more
    than the limits allow in all, or holds archives nested too deep; `encrypted`, `corrupt`; `empty` without a document.
    """
    limits = limits or Limits()
    with TemporaryDirectory(prefix="xiajiao-archive-") as folder:
        unpacking = Unpacking(Path(folder), limits, path.stat().st_size)
        yield from unpacking.members(Reading(name, path, limits))
        if not unpacking.count:
            raise ParseError(Reason.EMPTY, "an archive without a document")


class Unpacking:
    """One archive with all that is nested in it, under one budget."""

    def __init__(self, folder: Path, limits: Limits, size: int) -> None:
        self.folder = folder
        self.limits = limits
        self.size = size
        self.unpacked = 0
        self.count = 0

    def members(self, archive: Reading, prefix: str = "") -> Iterator[Member]:
        if archive.depth >= self.limits.depth:
            raise ParseError(Reason.TOO_LARGE, f"archives nested {archive.depth + 1} deep")
        with opened(archive) as package:
            for entry in package.infolist():
                if is_document(entry):
                    yield from self.member(archive, package, entry, prefix)

    def member(
        self, archive: Reading, package: zipfile.ZipFile, entry: zipfile.ZipInfo, prefix: str
    ) -> Iterator[Member]:
        path = self.folder / str(self.count)
        label = prefix + label_of(entry)
        self.count += 1
        if self.count > self.limits.members:
            raise ParseError(Reason.TOO_LARGE, f"more than {self.limits.members} members")
        self.write(package, entry, path)
        reading = Reading(label, path, self.limits, depth=archive.depth + 1)
        if is_nested(reading):
            self.count -= 1
            path = path.rename(self.folder / f"archive-{archive.depth}")
            yield from self.members(Reading(label, path, self.limits, depth=archive.depth + 1), f"{label}/")
        else:
            yield Member(label, path)
        path.unlink(missing_ok=True)

    def write(self, package: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
        """Copy one member, and count what really comes out."""
        with package.open(entry) as content, path.open("wb") as file:
            while piece := content.read(MEGABYTE):
                self.unpacked += len(piece)
                check_unpacked(self.unpacked, self.size, self.limits)
                file.write(piece)


def is_document(entry: zipfile.ZipInfo) -> bool:
    is_link = stat.S_ISLNK(entry.external_attr >> 16)
    return not (entry.is_dir() or is_link or is_litter(entry.filename))


def is_litter(name: str) -> bool:
    """Whether a system or an office program put it there for itself; the name with its folders."""
    last = name.rpartition("/")[2]
    return name.startswith(LITTER[0]) or last in LITTER or last.startswith(LOCKS)


def is_nested(reading: Reading) -> bool:
    """What can't be read is no archive: parsing it will say what is wrong with it."""
    try:
        return kind_of(reading) == "zip"
    except ParseError:
        return False


def label_of(entry: zipfile.ZipInfo) -> str:
    """The name as it was meant: zip files made on Chinese Windows write GBK and don't say so."""
    name = entry.filename
    if not entry.flag_bits & IS_UTF8 and not name.isascii():
        raw = name.encode("cp437", "replace")
        name = next((text for encoding in ("utf-8", "gb18030") if (text := decoded(raw, encoding))), name)
    return clean(name)[:LONGEST_NAME]


def decoded(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return ""
