"""From a file to chunks that a search finds: the job of one document, done by whoever claims it."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import asdict

from django.conf import settings
from django.db import OperationalError, transaction
from django.utils import timezone

from knowledge.chunking import Cut, Parent, chunk
from knowledge.fetching import fetch_original
from knowledge.filling import clear, fill
from knowledge.models import Document, KnowledgeBase
from knowledge.parsing import Limits, Parsed, ParseError, Reason, parse
from knowledge.readers.limits import MEGABYTE
from knowledge.storage import file_of
from knowledge.unpacking import unpack
from knowledge.webpages import FetchError
from knowledge.writing import Written, ask_for_vectors, read_terms, write_chunks
from xiajiao import fulltext
from xiajiao.claims import ATTEMPTS, claim, end, held, record
from xiajiao.storage import is_full

State = Document.State
# Codes beside those of knowledge.parsing.Reason.
CRASHED, GONE, NO_ROOM, UNREADABLE = "crashed", "gone", "no_room", "unreadable"
# Before the codes of knowledge.webpages.Failure.
OF_THE_WEB = "web_"
DISK_ERRORS = {errno.EACCES, errno.EPERM, errno.EIO, errno.EROFS, errno.EISDIR}
ORPHANS = "edits_without_place"


class CancelledError(Exception):
    """The person has stopped it."""


def index(document: Document) -> list[int]:
    """Read and cut it, if nobody else does. What stood before serves until the new chunks do, and stays where the
    file can't be read; the row says how far it is and how it ended.

    Returns the keys of documents that came out of it, where it was an archive: they are due.
    """
    job = claim(document)
    if job is None:
        return []
    with held(job):
        if job.attempts <= ATTEMPTS:
            return read(job)
        end_without(job, State.FAILED, reason=CRASHED)
    return []


def read(job: Document) -> list[int]:
    """Raises LostClaimError."""
    try:
        record(job, state=State.PARSING, reason="", stage="starting", done=0, total=0)
        if job.url and (job.wants_fetch or not job.stored_as):
            report(job, "fetching", 0, 0)
            fetch_original(job)
        return cut_up(job)
    except CancelledError:
        end_without(job, State.CANCELLED)
    except FetchError as error:
        end_without(job, State.FAILED, reason=f"{OF_THE_WEB}{error.code}")
    except ParseError as error:
        empty = {Reason.EMPTY, Reason.NO_TEXT_LAYER}
        end_without(job, State.EMPTY if error.code in empty else State.FAILED, reason=error.code)
    except (OSError, OperationalError) as error:
        reason = explain_disk(error)
        if not reason:
            raise
        end_without(job, State.FAILED, reason=reason)
    return []


def end_without(job: Document, state: str, reason: str = "") -> None:
    """Nothing that was written by halves is left; what stood before stays. Raises LostClaimError."""
    clear(job)
    end(job, state, reason=reason)


def explain_disk(error: OSError | OperationalError) -> str:
    """Why a file can't be read or written; empty where it is something else, which may pass."""
    if is_full(error):
        return NO_ROOM
    if isinstance(error, FileNotFoundError):
        return GONE
    return UNREADABLE if isinstance(error, OSError) and error.errno in DISK_ERRORS else ""


def cut_up(job: Document) -> list[int]:
    """Raises ParseError, CancelledError, FileNotFoundError and LostClaimError."""
    limits = Limits(size=settings.KB_FILE_MAX_MB * MEGABYTE)
    try:
        parsed = parse(file_of(job), job.name, limits, job.wanted_encoding, lambda *at: report(job, *at))
    except ParseError as error:
        if (error.code, error.detail) != (Reason.UNSUPPORTED, "zip"):
            raise
        return unpack(job, limits, lambda number: report(job, "unpacking", number, 0))
    report(job, "chunking", 0, 0)
    parents = chunk(parsed.sections, cut_of(job.base))
    raise_if_wordless(parents)
    terms = read_terms(job, parents, lambda done, total: report(job, "chunking", done, total))
    if job.chunk_count:
        keep(job, parsed, lambda: write_chunks(job, parents, terms))
    else:
        count = fill(job, parents, terms, lambda done, total: report(job, "saving", done, total))
        keep(job, parsed, lambda: Written(count))
    return []


def raise_if_wordless(parents: Sequence[Parent]) -> None:
    """Raises ParseError where no search by words could find anything of it."""
    if not any(fulltext.terms(piece.text) for parent in parents for piece in parent.pieces):
        raise ParseError(Reason.EMPTY, "not a word")


def report(job: Document, stage: str, done: int, total: int) -> None:
    """Raises CancelledError and LostClaimError."""
    record(job, stage=stage, done=done, total=total)
    if job.is_cancelled:
        raise CancelledError


@transaction.atomic
def keep(job: Document, parsed: Parsed, write: Callable[[], Written]) -> None:
    """Chunks and state change together, while the row is ours. Raises LostClaimError."""
    record(job, stage="saving")
    written = write()
    ask_for_vectors(job)
    remarks = [asdict(remark) for remark in parsed.remarks]
    if written.orphans:
        remarks.append({"oddity": ORPHANS, "detail": str(written.orphans)})
    found = {"encoding": parsed.encoding, "encoding_is_guess": parsed.encoding_is_guess, "pages": parsed.pages or 0}
    end(job, State.READY, chunk_count=written.count, warnings=remarks, indexed_at=timezone.now(), **found)


def cut_of(base: KnowledgeBase) -> Cut:
    return Cut(base.chunk_size, base.chunk_overlap, base.parent_size, tuple(base.separators))
