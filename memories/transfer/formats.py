"""What a file is, and its entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memories.transfer.entries import Entry, FileError
from memories.transfer.lines import decode
from memories.transfer.readers import tables
from memories.transfer.readers.database import MAGIC, count_rows
from memories.transfer.readers.mem0 import read_mem0
from memories.transfer.readers.own import is_own, read_own
from memories.transfer.readers.sections import read_sections

OWN, MEM0, SECTIONS = "xiajiao", "mem0", "sections"
NAMES = (OWN, MEM0, SECTIONS, *tables.NAMES)
# Of these a file says which agent a memory belongs to.
WITH_AGENTS = {OWN, MEM0, "agent_memories_db", "named_db"}
HEAD = 1 << 16
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# Zip (and what is one, such as .docx), gzip, bzip2, xz, 7z, zstd.
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd")
HEADING = re.compile(r"^#{1,6}[ \t]+\S|^[ \t]{0,3}[-*+][ \t]+\S", re.MULTILINE)


def recognise(path: Path) -> str:
    """By what stands in it, whatever it is called. Raises FileError."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head.strip():
        raise FileError("empty_file")
    if head.startswith(MAGIC):
        return tables.find_format(path).name
    if head.startswith(PACKED):
        raise FileError("packed")
    if head.startswith(UTF_16) or is_wide(head):
        raise FileError("utf16")
    if is_own(head):
        return OWN
    text = decode(head)[0].lstrip("\ufeff \t\r\n")
    if text[:1] in {"{", "["} and re.search(r'"(?:memory|results|memories)"\s*:', text):
        return MEM0
    # A stray NUL is one of the faults that texts have; programs and pictures are full of them.
    if head.count(b"\0") * 100 < len(head) and HEADING.search(text):
        return SECTIONS
    raise FileError("unknown_format")


def is_wide(head: bytes) -> bool:
    """UTF-16 without a mark: of Latin text every other byte is empty."""
    return len(head) > 8 and any(head[0:200:2]) != any(head[1:200:2])


def measure(path: Path, format: str) -> int:
    """Bytes, or rows of a database: what the positions of its entries count."""
    if format not in tables.NAMES:
        return path.stat().st_size
    chosen = next(each for each in tables.FORMATS if each.name == format)
    return count_rows(path, chosen.table)


def read_entries(path: Path, format: str) -> Iterator[Entry]:
    """In the order of the file. Raises FileError, at once or on the way."""
    match format:
        case "xiajiao":
            return read_own(path)
        case "mem0":
            return read_mem0(path)
        case "sections":
            return read_sections(path)
        case name if name in tables.NAMES:
            return tables.read_table_rows(path, name)
    raise FileError("unknown_format")
