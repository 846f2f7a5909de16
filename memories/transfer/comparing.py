"""Memories in our own format beside what is here: which would come in, which are here already, which differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from memories.models import ImportLine, Memory, MemoryType
from memories.tombstones import find_buried
from memories.transfer.columns import plain_fields
from memories.transfer.entries import Record
from memories.transfer.numbers import Numbers
from memories.transfer.records import OF_MEMORY, read_memory, read_memory_numbers
from memories.transfer.targets import Target, Targets, uid_of_copy
from xiajiao.models import User

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


def compare(incoming: Sequence[Incoming], importer: User) -> None:
    """Give each its row, if there is one that this person's copy can be, and its outcome."""
    copies = [uid_of_copy(each.file_uid, *each.target.belongs_to) for each in incoming]
    uids = [*(each.file_uid for each in incoming), *copies]
    rows = {row.uid: row for row in Memory.objects.filter(uid__in=uids).select_related("agent", "type")}
    for each, copy in zip(incoming, copies, strict=True):
        wished = (each.file_uid, copy)
        found = (rows[uid] for uid in wished if uid in rows)
        each.row = next((row for row in found if is_theirs(row, each, importer)), None)
        if each.row is not None:
            each.uid = each.row.uid
            judge(each, each.row)
        else:
            each.uid = next((uid for uid in wished if uid not in rows), uuid4())
    for each in find_forgotten([each for each in incoming if each.row is None]):
        each.outcome, each.reason = Outcome.IGNORE, "forgotten_here"


def is_theirs(row: Memory, each: Incoming, importer: User) -> bool:
    """Whether the importer may write to it: what an agent tells everybody is its owner's."""
    if row.user_id != each.target.person_id:
        return False
    return row.user_id is not None or importer.is_staff or row.agent.owner_id == importer.pk


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
