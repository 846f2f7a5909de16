"""Zip files from strangers: their list is looked at before it is read, and whatever breaks is one error."""

from __future__ import annotations

import errno
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

# The end of a zip file: a record of 22 bytes, then a comment of at most 65,535.
END_RECORD = struct.Struct("<4s4H2LH")
DIRECTORY_ENTRY, LONGEST_NAME = 46, 500
IS_ENCRYPTED = 1
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OverflowError,
    struct.error,
    ValueError,
)


class BrokenZipError(Exception):
    """It is no zip file, is damaged, or packed in a way that is not known here."""


class ManyMembersError(Exception):
    """`count` as the zip file says it."""

    def __init__(self, count: int) -> None:
        super().__init__(f"zip of {count} members")
        self.count = count


@contextmanager
def open_zip(file: BinaryIO, most: int) -> Iterator[zipfile.ZipFile]:
    """Of at most so many members. Raises BrokenZipError, also for what breaks while it is read, ManyMembersError."""
    check_directory(file, most)
    try:
        with zipfile.ZipFile(file) as package:
            if len(package.filelist) > most:
                raise ManyMembersError(len(package.filelist))
            if not all(member.filename for member in package.filelist):
                raise BrokenZipError("a member without a name")
            yield package
    except BROKEN as error:
        raise BrokenZipError(str(error)) from error
    except OSError as error:
        # A place in the file that can't be, or what bzip2 can't unpack; all else is this machine's trouble.
        if error.errno not in (errno.EINVAL, None):
            raise
        raise BrokenZipError(str(error)) from error


def check_directory(file: BinaryIO, most: int) -> None:
    """Before zipfile reads the list of members into memory: that it is not itself the attack. Raises as `open_zip`."""
    file.seek(0, 2)
    start = max(0, file.tell() - END_RECORD.size - 65_535)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < END_RECORD.size:
        raise BrokenZipError("without an end: cut off?")
    _mark, _disk, _start, _here, count, size, _offset, _comment = END_RECORD.unpack_from(tail, at)
    if count > most or size > most * (DIRECTORY_ENTRY + LONGEST_NAME):
        raise ManyMembersError(count)
    file.seek(0)
