"""What would become of each entry: the dry run's judgement of one batch. Nothing of a memory is written."""

from __future__ import annotations

from collections.abc import Sequence

from memories.models import Import, ImportLine
from memories.transfer.comparing import Incoming, compare, read_incoming, type_keys
from memories.transfer.entries import Entry, EntryError, Fault, ForeignEntry, Record
from memories.transfer.gating import Gating
from memories.transfer.numbers import Numbers
from memories.transfer.records import read_revision, read_uid
from memories.transfer.targets import Targets
from xiajiao.texts import clean, clip

Outcome = ImportLine.Outcome
Placed = tuple[int, Entry]


class Forecasting:
    """Of one import, batch after batch."""

    def __init__(self, job: Import, targets: Targets) -> None:
        self.job = job
        self.targets = targets
        self.numbers = Numbers()
        self.types = type_keys()
        self.gating = Gating(job, targets)
        # Memories that can't be taken: their revisions are not told one by one.
        self.refused: set[str] = set()

    def look(self, batch: Sequence[Placed]) -> list[ImportLine]:
        """A line for each memory, and for each entry that can't be taken."""
        lines = [self.as_invalid(place, entry) for place, entry in batch if isinstance(entry, Fault)]
        lines += self.look_at_records([(place, entry) for place, entry in batch if isinstance(entry, Record)])
        lines += self.gating.look([(place, entry) for place, entry in batch if isinstance(entry, ForeignEntry)])
        return lines

    def as_invalid(self, place: int, fault: Fault) -> ImportLine:
        return ImportLine(
            transfer=self.job,
            place=place,
            line=fault.spot.line,
            forecast=Outcome.INVALID,
            reason=fault.code,
            details=fault.details,
            excerpt=clip(clean(fault.excerpt), 200),
        )

    def look_at_records(self, records: Sequence[tuple[int, Record]]) -> list[ImportLine]:
        lines, incoming = [], []
        seen = self.find_seen(records)
        for place, record in records:
            if record.kind not in {"memory", "revision"}:
                continue
            try:
                if record.kind == "memory":
                    incoming.append(self.read_memory(place, record, seen))
                else:
                    self.check_revision(record, seen)
            except EntryError as error:
                excerpt = str(record.values.get("content") or "")
                if self.goes_without_saying(record):
                    continue
                lines.append(self.as_invalid(place, Fault(record.spot, error.code, error.details, excerpt)))
        compare(incoming, self.job.user)
        return [*lines, *map(self.as_line, incoming)]

    def goes_without_saying(self, record: Record) -> bool:
        """Of a revision, that its memory can't be taken."""
        if record.kind == "memory":
            self.refused.add(str(record.values.get("uid")))
            return False
        return str(record.values.get("memory")) in self.refused

    def find_seen(self, records: Sequence[tuple[int, Record]]) -> dict[str, int]:
        """Lines of earlier memories of the file, by uid."""
        uids = []
        for _place, record in records:
            try:
                uids.append(read_uid(record.values, "memory" if record.kind == "revision" else "uid"))
            except EntryError:
                continue
        rows = self.job.lines.filter(uid__in=uids).values_list("uid", "line")
        return {str(uid): line for uid, line in rows}

    def read_memory(self, place: int, record: Record, seen: dict[str, int]) -> Incoming:
        """Raises EntryError."""
        uid = str(read_uid(record.values))
        if uid in seen:
            raise EntryError("same_uid", line=seen[uid])
        incoming = read_incoming(place, record, self.targets, self.numbers)
        seen[uid] = record.spot.line
        return incoming

    def check_revision(self, record: Record, seen: dict[str, int]) -> None:
        """Raises EntryError."""
        if str(read_uid(record.values, "memory")) not in seen:
            raise EntryError("no_memory")
        read_revision(record.values, self.types, self.numbers)

    def as_line(self, each: Incoming) -> ImportLine:
        successor = each.record.values.get("superseded_by")
        details = dict(each.details)
        if each.outcome == Outcome.RESTORE and isinstance(successor, str):
            details["superseded_by"] = successor
        return ImportLine(
            transfer=self.job,
            place=each.place,
            line=each.record.spot.line,
            forecast=each.outcome,
            reason=each.reason,
            details=details,
            excerpt=clip(each.columns["title"] or each.columns["content"], 200),
            memory=each.row,
            uid=each.file_uid,
        )
