"""Whether a text is more than one document may hold, told before anything is done with it."""

from __future__ import annotations

import codecs
from functools import partial
from pathlib import Path

from knowledge.readers.limits import MEGABYTE, Limits

# Of these much is no text: markup, pictures, attachments.
MIXED = ("html", "htm", "xhtml", "mht", "mhtml", "ipynb", "eml")


def is_too_much_text(path: Path, name: str, limits: Limits | None = None) -> bool:
    """For sure: what is no UTF-8 is told by whoever reads it. Takes half a second for 200 MB, and one of them."""
    most = (limits or Limits()).characters
    if path.stat().st_size <= most or name.lower().rpartition(".")[2] in MIXED:
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    count = 0
    try:
        with path.open("rb") as file:
            for piece in iter(partial(file.read, MEGABYTE), b""):
                count += len(decoder.decode(piece))
                if b"\0" in piece or count > most:
                    break
    except UnicodeDecodeError:
        return False
    return count > most
