"""Zip files from strangers: looked at before they are opened, and their real size counted, not only the declared."""

from __future__ import annotations

import errno
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from lxml import etree

from knowledge.readers.limits import MEGABYTE, Limits
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason

# A bomb packs hundreds of times; below this it harms nobody.
HARMLESS = 10 * MEGABYTE
# The end of a zip file: a record of 22 bytes, then a comment of at most 65,535.
END_RECORD = struct.Struct("<4s4H2LH")
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, ValueError)
IS_ENCRYPTED = 1
DIRECTORY_ENTRY = 46


@contextmanager
def opened(reading: Reading) -> Iterator[zipfile.ZipFile]:
    """The zip file, checked. Raises ParseError, also for what breaks while it is read."""
    with reading.open() as file:
        check_directory(file, reading.limits)
        try:
            with zipfile.ZipFile(file) as package:
                check_members(package, reading.size(), reading.limits)
                yield package
        except BROKEN as error:
            raise ParseError(Reason.CORRUPT, f"zip: {error}"[:200]) from error
        except OSError as error:
            if error.errno != errno.EINVAL:  # a place in the file that can't be; all else is this machine's trouble
                raise
            raise ParseError(Reason.CORRUPT, f"zip: {error}"[:200]) from error


def check_directory(file: BinaryIO, limits: Limits) -> None:
    """Before zipfile reads the list of members into memory: that it is not itself the attack."""
    file.seek(0, 2)
    start = max(0, file.tell() - END_RECORD.size - 65_535)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < END_RECORD.size:
        raise ParseError(Reason.CORRUPT, "zip without an end: cut off?")
    _mark, _disk, _start, _here, count, size, _offset, _comment = END_RECORD.unpack_from(tail, at)
    if count > limits.members or size > limits.members * (DIRECTORY_ENTRY + 500):
        raise ParseError(Reason.TOO_LARGE, f"zip of {count} members")
    file.seek(0)


def check_members(package: zipfile.ZipFile, size: int, limits: Limits) -> None:
    members = package.infolist()
    if len(members) > limits.members:
        raise ParseError(Reason.TOO_LARGE, f"zip of {len(members)} members")
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
