"""Memories in our own format beside what is here: which would come in, which are here already, which differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from memories.models import ImportLine, Memory, MemoryType
from memories.tombstones import find_buried
from memories.transfer.columns import plain_fields
from memories.transfer.entries import Record
from memories.transfer.numbers import Numbers
from memories.transfer.records import OF_MEMORY, read_memory, read_memory_numbers
from memories.transfer.targets import Target, Targets, uid_for

Outcome = ImportLine.Outcome
# What may differ between two copies of the same memory: how often it was used, and when it was last touched.
PASSING = ("created_at", "updated_at", "version", "last_recalled_at", "recall_count", "proof_count", "deleted_at")


@dataclass
class Incoming:
    """A memory of the file; `uid` is the one that it has here, `row` what stands here under it."""

    place: int
    record: Record
    columns: dict[str, Any]
    target: Target
    uid: UUID
    row: Memory | None = None
    outcome: str = Outcome.RESTORE
    reason: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def file_uid(self) -> UUID:
        uid: UUID = self.columns["uid"]
        return uid


def read_incoming(place: int, record: Record, targets: Targets, numbers: Numbers) -> Incoming:
    """Raises EntryError."""
    columns = read_memory(record.values)
    target = targets.of_record(record.values)
    type_id = targets.find_type(record.values.get("type"))
    read_memory_numbers(record.values, numbers)
    return Incoming(place, record, columns | {"type_id": type_id}, target, columns["uid"])


def compare(incoming: Sequence[Incoming]) -> None:
    """Give each its row, if there is one that this person's copy can be, and its outcome."""
    uids = [uid for each in incoming for uid in (each.file_uid, uid_for(each.file_uid, each.target.person_id))]
    rows = {row.uid: row for row in Memory.objects.filter(uid__in=uids).select_related("agent", "type")}
    for each in incoming:
        copy = uid_for(each.file_uid, each.target.person_id)
        original = rows.get(each.file_uid)
        if original is not None and original.user_id != each.target.person_id:
            each.uid = copy
        each.row = rows.get(each.uid) or rows.get(copy)
        if each.row is not None:
            each.uid = each.row.uid
            judge(each, each.row)
    for each in find_forgotten([each for each in incoming if each.row is None]):
        each.outcome, each.reason = Outcome.IGNORE, "forgotten_here"


def find_forgotten(new: Sequence[Incoming]) -> Iterator[Incoming]:
    """Those that a person had forgotten for good: a file from before that has them still."""
    by_place: dict[tuple[int, int | None], list[Incoming]] = defaultdict(list)
    for each in new:
        if each.target.agent is not None:
            by_place[each.target.agent.pk, each.target.person_id].append(each)
    for (agent_id, person_id), group in by_place.items():
        buried = find_buried(agent_id, person_id, {each.columns["content"] for each in group})
        yield from (each for each in group if each.columns["content"] in buried)


def judge(each: Incoming, row: Memory) -> None:
    if row.deleted_at is not None and each.columns["deleted_at"] is None:
        each.outcome, each.reason = Outcome.IGNORE, "deleted_here"
        return
    differing = sorted(list_differing(each, row))
    if not differing:
        each.outcome, each.reason = Outcome.IGNORE, "unchanged"
        return
    is_newer = each.columns["updated_at"] > row.updated_at
    each.outcome, each.reason = Outcome.CONFLICT, "newer_in_file" if is_newer else "newer_here"
    each.details = {"columns": differing}


def list_differing(each: Incoming, row: Memory) -> Iterator[str]:
    if each.columns["type_id"] != row.type_id:
        yield "type_id"
    for name in (column.attname for column in plain_fields(Memory, (*OF_MEMORY, *PASSING))):
        if each.columns[name] != getattr(row, name):
            yield name
    if each.columns["deleted_at"] is not None and row.deleted_at is None:
        yield "deleted_at"


def type_keys() -> dict[str, int]:
    return dict(MemoryType.objects.values_list("key", "pk"))
