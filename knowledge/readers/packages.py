"""Zip files from strangers: looked at before they are opened, and their real size counted, not only the declared."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from lxml import etree

from knowledge.readers.limits import MEGABYTE, Limits
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from xiajiao.zips import IS_ENCRYPTED, BrokenZipError, ManyMembersError, open_zip

# A bomb packs hundreds of times; below this it harms nobody.
HARMLESS = 10 * MEGABYTE


@contextmanager
def opened(reading: Reading) -> Iterator[zipfile.ZipFile]:
    """The zip file, checked. Raises ParseError, also for what breaks while it is read."""
    with reading.open() as file, told(), open_zip(file, reading.limits.members) as package:
        check_members(package, reading.size(), reading.limits)
        yield package


@contextmanager
def told() -> Iterator[None]:
    """What is wrong with a zip file, as ParseError."""
    try:
        yield
    except BrokenZipError as error:
        raise ParseError(Reason.CORRUPT, f"zip: {error}"[:200]) from error
    except ManyMembersError as error:
        raise ParseError(Reason.TOO_LARGE, str(error)) from error


def check_members(package: zipfile.ZipFile, size: int, limits: Limits) -> None:
    members = package.infolist()
    check_unpacked(sum(member.file_size for member in members), size, limits)
    if any(member.flag_bits & IS_ENCRYPTED for member in members):
        raise ParseError(Reason.ENCRYPTED, "zip with a password")


def check_unpacked(unpacked: int, size: int, limits: Limits) -> None:
    """Raises ParseError where so many bytes out of `size` are too many."""
    if unpacked > limits.unpacked or (unpacked > HARMLESS and unpacked > size * limits.ratio):
        raise ParseError(Reason.TOO_LARGE, f"unpacks from {size} to {unpacked} bytes")


def unpack_all(package: zipfile.ZipFile, size: int, limits: Limits) -> None:
    """Unpack each member to nowhere, for readers in other languages, which don't stop where the declared size ends."""
    unpacked = 0
    for member in package.infolist():
        with package.open(member) as content:
            while piece := content.read(MEGABYTE):
                unpacked += len(piece)
                check_unpacked(unpacked, size, limits)


def read_xml(package: zipfile.ZipFile, name: str) -> etree._Element:
    """A member as a tree that fetches nothing and expands nothing. Raises ParseError where there is none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        return etree.fromstring(package.read(name), parser)
    except KeyError as error:
        raise ParseError(Reason.CORRUPT, f"zip without {name}"[:200]) from error
    except etree.XMLSyntaxError as error:
        raise ParseError(Reason.CORRUPT, f"{name}: {error}"[:200]) from error
