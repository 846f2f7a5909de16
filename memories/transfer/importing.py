"""An import from its file to its report: looked through, and when the person says so, written and linked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from django.db import transaction
from django.db.models import Count

from memories.models import Import, ImportLine
from memories.transfer.entries import Entry, EntryError, Fault, FileError, ForeignEntry, Record
from memories.transfer.forecasting import Forecasting
from memories.transfer.formats import OWN, measure, read_entries, recognise
from memories.transfer.gating import Gating
from memories.transfer.linking import link_lines, mark_circles
from memories.transfer.restoring import Restoring
from memories.transfer.storage import import_path
from memories.transfer.targets import Targets
from xiajiao.claims import ATTEMPTS, LostClaimError, claim, end, is_over, record, release, slice_end

State = Import.State
Outcome = ImportLine.Outcome
OWN_BATCH, FOREIGN_BATCH, LINK_BATCH = 200, 32, 200
# Of so many bad lines, and ten times as many as good ones, none is told any more: it is another kind of file.
MOST_BAD, SHARE = 10_000, 10
Placed = tuple[int, Entry]


def advance_import(transfer: Import) -> bool:
    """Work at it for a while, if nobody else does; whether something is left to do.

    Whatever a killed worker has done is done once: it is told by the rows, and goes on behind the cursor.
    """
    job = claim(transfer)
    if job is None:
        return False
    try:
        return advance(job)
    except LostClaimError:
        return False
    except FileError as error:
        fail(job, error.code)
    except FileNotFoundError:
        fail(job, "file_gone")
    return False


def fail(job: Import, error: str) -> None:
    """What is in stays, and is told."""
    end(job, State.FAILED, error=error, outcome=count_lines(job, "outcome"))


def advance(job: Import) -> bool:
    if job.attempts > ATTEMPTS:
        raise FileError("crashed")
    match job.state:
        case State.CHECKING:
            return check(job, import_path(job.stored_as))
        case State.WRITING:
            return write(job, import_path(job.stored_as))
        case _:
            return link(job)


def check(job: Import, path: Path) -> bool:
    """The dry run."""
    if not job.format or not job.total:
        format = job.format or recognise(path)
        record(job, format=format, total=measure(path, format))
    if is_cancelled(job):
        return job.is_running
    until, targets = slice_end(), Targets(job, may_make=False)
    forecasting = Forecasting(job, targets)
    for batch in read_batches(job, path, targets):
        lines = forecasting.look(batch)
        with transaction.atomic():
            ImportLine.objects.bulk_create(lines)
            record(job, cursor=batch[-1][0], position=batch[-1][1].spot.position, makes=targets.made)
        if stop(job, until):
            return job.is_running
        if is_mostly_bad(job, batch[-1][0]):
            raise FileError("mostly_bad")
    targets.make_offered()
    mark_circles(job)
    found = {"forecast": count_lines(job, "forecast"), "makes": targets.made}
    release(job, state=State.CHECKED, cursor=0, position=0, **found)
    return False


def is_mostly_bad(job: Import, places: int) -> bool:
    """Asked for seldom: a count each time would make large files slow."""
    if places % MOST_BAD >= OWN_BATCH:
        return False
    bad = job.lines.filter(forecast=Outcome.INVALID).count()
    return bad >= MOST_BAD and bad > SHARE * (places - bad)


def write(job: Import, path: Path) -> bool:
    """What the person has agreed to."""
    if is_cancelled(job):
        return job.is_running
    until, targets = slice_end(), Targets(job, may_make=True)
    restoring, gating = Restoring(job, targets), Gating(job, targets)
    for batch in read_batches(job, path, targets):
        places = [place for place, _entry in batch]
        lines = {line.place: line for line in job.lines.filter(place__in=places)}
        records = [(place, entry) for place, entry in batch if isinstance(entry, Record)]
        restoring.write(records, lines)
        gating.write([(place, entry) for place, entry in batch if isinstance(entry, ForeignEntry)], lines)
        record(job, cursor=batch[-1][0], position=batch[-1][1].spot.position)
        if stop(job, until):
            return job.is_running
    targets.make_offered()
    release(job, state=State.LINKING, cursor=0, position=0)
    return True


def link(job: Import) -> bool:
    until = slice_end()
    made = job.lines.filter(outcome=Outcome.RESTORE, reason="", memory__isnull=False).order_by("place")
    while lines := list(made.filter(place__gt=job.cursor)[:LINK_BATCH]):
        link_lines(lines)
        record(job, cursor=lines[-1].place)
        if is_over(until):
            release(job)
            return True
    finish(job, State.CANCELLED if job.is_cancelled else State.DONE)
    return False


def finish(job: Import, state: str) -> None:
    job.lines.filter(outcome="", forecast=Outcome.INVALID).update(outcome=Outcome.INVALID)
    end(job, state, outcome=count_lines(job, "outcome"), position=job.total)


def stop(job: Import, until: float) -> bool:
    """Whether this worker is to stop here: the person has cancelled, or others wait."""
    if is_cancelled(job):
        return True
    if is_over(until):
        release(job)
        return True
    return False


def is_cancelled(job: Import) -> bool:
    """Of a dry run nothing is left to do; of an import, what is in is linked."""
    if not job.is_cancelled:
        return False
    if job.state == State.CHECKING:
        end(job, State.CANCELLED)
    else:
        release(job, state=State.LINKING, cursor=0, position=0)
    return True


def count_lines(job: Import, column: str) -> dict[str, int]:
    rows = job.lines.exclude(**{column: ""}).order_by().values_list(column).annotate(count=Count("pk"))
    return dict(rows)


def read_batches(job: Import, path: Path, targets: Targets) -> Iterator[Sequence[Placed]]:
    """The entries behind the cursor; agents and types before it too are learned, for later memories need them."""
    size = OWN_BATCH if job.format == OWN else FOREIGN_BATCH
    batch: list[Placed] = []
    for place, entry in enumerate(read_entries(path, job.format), 1):
        learned = learn(entry, targets)
        if place <= job.cursor:
            continue
        batch.append((place, learned))
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def learn(entry: Entry, targets: Targets) -> Entry:
    if not isinstance(entry, Record):
        return entry
    try:
        targets.learn(entry)
    except EntryError as error:
        return Fault(entry.spot, error.code, error.details, str(entry.values.get("name", "")))
    return entry
