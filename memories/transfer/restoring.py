"""Our own format on its way in: rows and revisions as they were, past the gate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memories.creating import recreate
from memories.drafts import Origin
from memories.locks import write_lock
from memories.models import Import, ImportLine, Memory, MemoryRevision
from memories.revising import Change, revise
from memories.transfer.comparing import Incoming, compare, read_incoming
from memories.transfer.entries import EntryError, Record
from memories.transfer.numbers import Numbers
from memories.transfer.records import read_memory_numbers, read_revision, read_uid
from memories.transfer.targets import Targets, uid_for
from memories.transfer.verdicts import Finding, settle_line
from xiajiao.models import User

Outcome = ImportLine.Outcome
Placed = tuple[int, Record]


class Restoring:
    """Of one import, batch after batch."""

    def __init__(self, job: Import, targets: Targets) -> None:
        self.job = job
        self.targets = targets
        self.numbers = Numbers(may_write=True)
        self.origin = Origin(MemoryRevision.Actor.IMPORT, Memory.Source.IMPORT, user_id=job.user_id)

    def write(self, records: Sequence[Placed], lines: dict[int, ImportLine]) -> None:
        """The memories of the batch, each once however often it is told to, and then its revisions."""
        open_places = {place for place, line in lines.items() if not line.outcome and line.forecast != Outcome.INVALID}
        incoming = []
        for place, record in records:
            if record.kind == "memory" and place in open_places:
                incoming += self.read(lines[place], record)
        compare(incoming, self.job.user)
        by_target: dict[tuple[int, int | None], list[Incoming]] = defaultdict(list)
        for each in incoming:
            assert each.target.agent is not None
            by_target[each.target.agent.pk, each.target.person_id].append(each)
        for group in by_target.values():
            self.write_group(group, lines)
        self.write_revisions([each for each in records if each[1].kind == "revision"])

    def read(self, line: ImportLine, record: Record) -> list[Incoming]:
        try:
            return [read_incoming(line.place, record, self.targets, self.numbers)]
        except EntryError as error:
            settle_line(line, Finding(Outcome.INVALID, error.code, error.details))
            return []

    def write_group(self, group: Sequence[Incoming], lines: dict[int, ImportLine]) -> None:
        """In one transaction with what the report says of them."""
        target = group[0].target
        assert target.agent is not None
        with write_lock(target.agent.pk, target.person_id):
            compare(group, self.job.user)
            new = [(each, self.make(each)) for each in group if self.is_made(each)]
            recreate([memory for _each, memory in new])
            for each, memory in new:
                settle_line(lines[each.place], Finding(Outcome.RESTORE, "", self.pointer(each), memory))
            for each in group:
                if not self.is_made(each):
                    self.settle(each, each.row, lines[each.place])

    def is_made(self, each: Incoming) -> bool:
        return each.row is None and (each.outcome == Outcome.RESTORE or self.job.brings_back)

    def make(self, each: Incoming) -> Memory:
        columns = {**each.columns, **read_memory_numbers(each.record.values, self.numbers), "uid": each.uid}
        return Memory(agent=each.target.agent, user_id=each.target.person_id, **columns)

    def pointer(self, each: Incoming) -> dict[str, str]:
        """What replaced it, to be linked when everything is in."""
        successor = each.record.values.get("superseded_by")
        return {"superseded_by": successor} if isinstance(successor, str) else {}

    def settle(self, each: Incoming, row: Memory | None, line: ImportLine) -> None:
        """What is here stays, unless the person chose otherwise."""
        if row is None:
            settle_line(line, Finding(each.outcome, each.reason))
        elif each.reason == "deleted_here" and self.job.brings_back:
            revise(row, {"deleted_at": None}, Change(MemoryRevision.Action.RESTORED, self.origin))
            settle_line(line, Finding(Outcome.RESTORE, "brought_back", memory=row))
        elif each.outcome == Outcome.CONFLICT and self.prefers_file(each):
            columns = {name: each.columns[name] for name in each.details["columns"]}
            reason = {"rule": "from_file"}
            revise(row, columns, Change(MemoryRevision.Action.EDITED, self.origin, reason))
            settle_line(line, Finding(Outcome.RESTORE, "taken_from_file", each.details, row))
        else:
            settle_line(line, Finding(each.outcome, each.reason, each.details, row))

    def prefers_file(self, each: Incoming) -> bool:
        if self.job.conflicts == Import.Conflicts.NEWER:
            return each.reason == "newer_in_file"
        return self.job.conflicts == Import.Conflicts.FILE

    def write_revisions(self, records: Sequence[Placed]) -> None:
        """Those of memories that this import has brought in; the rest have a history of their own here."""
        parents = self.find_parents(records)
        rows = []
        for _place, record in records:
            memory = parents.get(str(record.values.get("memory")))
            if memory is None:
                continue
            try:
                rows.append(self.make_revision(record, memory))
            except EntryError:
                continue
        known = MemoryRevision.objects.filter(uid__in=[row.uid for row in rows])
        owners = dict(known.values_list("uid", "memory_id"))
        for row in rows:
            if owners.get(row.uid, row.memory_id) != row.memory_id:
                row.uid = uid_for(row.uid, row.memory_id)
        uids = [row.uid for row in rows]
        there = set(MemoryRevision.objects.filter(uid__in=uids).values_list("uid", flat=True))
        MemoryRevision.objects.bulk_create(row for row in rows if row.uid not in there)

    def find_parents(self, records: Sequence[Placed]) -> dict[str, Memory]:
        """Memories that this import made, by their uid in the file."""
        uids = set()
        for _place, record in records:
            try:
                uids.add(read_uid(record.values, "memory"))
            except EntryError:
                continue
        made = self.job.lines.filter(uid__in=uids, outcome=Outcome.RESTORE, reason="", memory__isnull=False)
        return {str(line.uid): line.memory for line in made.select_related("memory") if line.memory is not None}

    def make_revision(self, record: Record, memory: Memory) -> MemoryRevision:
        """Raises EntryError."""
        columns = read_revision(record.values, self.targets.types, self.numbers)
        name = record.values.get("user")
        user_id = self.find_actor(name) if isinstance(name, str) else None
        if user_id is None and isinstance(name, str):
            # Nobody's here, or a name that a file may only claim.
            columns["reason"]["by"] = name[:150]
        return MemoryRevision(memory=memory, user_id=user_id, **columns)

    def find_actor(self, name: str) -> int | None:
        """A plain person's file may name nobody but them: it is they who say so."""
        if name == self.targets.importer.get_username():
            return self.targets.importer.pk
        if not self.targets.importer.is_staff:
            return None
        if name not in self.targets.people:
            self.targets.people[name] = User.objects.filter(username=name).values_list("pk", flat=True).first()
        return self.targets.people[name]
