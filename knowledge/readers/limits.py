"""What reading one file may cost."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds of one file, each a reason to stop: `timed_out` for the seconds, `too_large` for all others."""

    seconds: float = 300
    """From start to end, by the clock; the processor's time is bounded by the same figure."""
    memory: int = 1024 * MEGABYTE
    """Bytes of address space of the child."""
    size: int = 200 * MEGABYTE
    """Bytes of the file itself."""
    unpacked: int = 512 * MEGABYTE
    """Bytes of all that a zip file holds."""
    ratio: int = 200
    """How many times its size a zip file may unpack to, once that is more than ten megabytes: XML packs 20 times."""
    characters: int = 30_000_000
    rows: int = 200_000
    """Of all the sheets of a workbook, or of a CSV file."""
    pages: int = 10_000
    members: int = 10_000
    """Files in a zip file."""
    depth: int = 3
    """Archives in archives, letters in letters."""
