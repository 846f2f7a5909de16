"""Zip files that no reader opens or none can read to the end."""

import io
import zipfile
from collections.abc import Iterator

LOCAL, LISTED = b"PK\x03\x04", b"PK\x01\x02"
FILLING = b"- tea and dumplings, and tea again\n" * 40


def zip_of(name: str, method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr(name, FILLING)
    return bytearray(packed.getvalue())


def make_broken(name: str) -> Iterator[tuple[str, bytes]]:
    """Each with what is wrong with it; `name` is what the one file in it is called."""
    for method, what in ((zipfile.ZIP_DEFLATED, "deflate"), (zipfile.ZIP_LZMA, "lzma"), (zipfile.ZIP_BZIP2, "bzip2")):
        yield what, with_content(zip_of(name, method), name, 4)
    yield "checksum", with_field(zip_of(name), 14, 16, b"\1\2\3\4")
    yield "method", with_field(zip_of(name), 8, 10, b"\x63\0")
    yield "version", with_field(zip_of(name), 4, 6, b"\xff\xff")
    yield "name", with_field(zip_of(name), 6, 8, b"\0\x08").replace(name.encode(), b"\xff" * len(name))
    yield "no name", bytes(zip_of(name)).replace(name.encode(), b"\0" * len(name))
    yield "place", with_field(zip_of(name), 22, 42, b"\xff\xff\xff\x7f")
    yield "cut", bytes(zip_of(name)[:-30])


def make_encrypted(name: str) -> bytes:
    return with_field(zip_of(name), 6, 8, b"\1\0")


def with_field(package: bytearray, local: int, listed: int, value: bytes) -> bytes:
    """With other bytes there, before the file and in the list."""
    for mark, offset in ((LOCAL, local), (LISTED, listed)):
        at = package.find(mark) + offset
        package[at : at + len(value)] = value
    return bytes(package)


def with_content(package: bytearray, name: str, kept: int) -> bytes:
    """With noise after the first bytes of what is packed."""
    start = 30 + len(name) + kept
    for at in range(start, package.find(LISTED)):
        package[at] = 0xFF
    return bytes(package)
