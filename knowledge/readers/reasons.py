"""Why a file can't be read, and what is remarkable about one that can."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """What a document's failure is called in rows and answers; knowledge.parsing.words says it to people."""

    ENCRYPTED = "encrypted"
    NO_TEXT_LAYER = "no_text_layer"
    EMPTY = "empty"
    CORRUPT = "corrupt"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TOO_MANY_CHUNKS = "too_many_chunks"
    ENCODING_UNCERTAIN = "encoding_uncertain"
    TIMED_OUT = "timed_out"
    STOPPED = "stopped"


class Oddity(StrEnum):
    """What a person should know of a document that was read all the same."""

    PAGES_WITHOUT_TEXT = "pages_without_text"
    PAGES_DAMAGED = "pages_damaged"
    BYTES_REPLACED = "bytes_replaced"
    ATTACHMENT_SKIPPED = "attachment_skipped"
    OUTPUT_CUT = "output_cut"
    PART_DAMAGED = "part_damaged"


@dataclass(frozen=True)
class Remark:
    """An oddity, and where: page numbers, a count, the name of an attachment."""

    oddity: Oddity
    detail: str = ""


class ParseError(Exception):
    """A file that can't be read, for the person who uploaded it; `detail` is a fact, in English, for the log."""

    def __init__(self, code: Reason, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail
