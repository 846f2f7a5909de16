"""What points to other rows, in a file by ids that mean the same everywhere.

A revision's `before` and `reason` hold keys of types, memories and revisions of this database. In a file they hold
the type's key and the rows' uids instead. What can't be found here when it comes in stays a uid, and finds its row
when that comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db import models

from memories.models import Memory, MemoryRevision, MemoryType
from memories.transfer.columns import number_fields
from memories.transfer.numbers import Numbers
from xiajiao.batches import batched

MEMORIES_IN_REASON = ("nearest", "supersedes", "split_from", "merged", "merged_into", "into", "instead_of")
REVISIONS_IN_REASON = ("undone", "rewound")
# A uid of `before` that names no row here: nothing reads this name, so nothing stumbles over it.
UNFOUND = "superseded_by_uid"


class Uids:
    """Uids of rows by their key, read for a batch at once."""

    def __init__(self, revisions: Iterable[MemoryRevision] = ()) -> None:
        rows = list(revisions)
        memories = {r.reason.get(name) for r in rows for name in MEMORIES_IN_REASON}
        memories |= {r.before.get("superseded_by_id") for r in rows}
        earlier = {r.reason.get(name) for r in rows for name in REVISIONS_IN_REASON}
        self.memories = find_uids(Memory, memories)
        self.revisions = find_uids(MemoryRevision, earlier)
        self.types = dict(MemoryType.objects.values_list("pk", "key"))


def find_uids(model: type[models.Model], keys: set[Any]) -> dict[int, str]:
    wanted = sorted(key for key in keys if isinstance(key, int) and not isinstance(key, bool))
    found: dict[int, str] = {}
    for batch in batched(wanted):
        rows = model._default_manager.filter(pk__in=batch).values_list("pk", "uid")
        found |= {pk: str(uid) for pk, uid in rows}
    return found


def write_reason(reason: dict[str, Any], uids: Uids) -> dict[str, Any]:
    written = dict(reason)
    for names, known in ((MEMORIES_IN_REASON, uids.memories), (REVISIONS_IN_REASON, uids.revisions)):
        for name in names:
            if isinstance(reason.get(name), int):
                written[name] = known.get(reason[name])
    return written


def write_before(before: dict[str, Any], uids: Uids, numbers: Numbers) -> dict[str, Any]:
    written = dict(before)
    unfound = written.pop(UNFOUND, None)
    if "type_id" in before:
        written["type_id"] = uids.types.get(before["type_id"])
    if "superseded_by_id" in before:
        written["superseded_by_id"] = unfound or uids.memories.get(before["superseded_by_id"])
    if "message_ids" in before:
        written["message_ids"] = numbers.write_all(before["message_ids"])
    for name in set(number_fields(Memory)) & set(before):
        written[name] = numbers.write(before[name])
    return written


def read_before(before: dict[str, Any], types: dict[str, int], numbers: Numbers) -> dict[str, Any]:
    """With uids of memories still to be found. Raises EntryError."""
    read = {name: value for name, value in before.items() if name != UNFOUND}
    if "type_id" in before:
        read["type_id"] = types.get(str(before["type_id"]))
    if before.get("superseded_by_id") is not None:
        read[UNFOUND], read["superseded_by_id"] = str(before["superseded_by_id"]), None
    if "message_ids" in before:
        words = before["message_ids"] if isinstance(before["message_ids"], list) else []
        read["message_ids"] = [numbers.read(word, "before") for word in words if word is not None]
    for name in set(number_fields(Memory)) & set(before):
        read[name] = numbers.read(before[name], "before")
    return read


Find = Callable[[str], int | None]


def resolve(revision: MemoryRevision, find_memory: Find, find_revision: Find) -> bool:
    """Put keys where uids wait for the rows that they name; whether anything was found."""
    before, reason = dict(revision.before), dict(revision.reason)
    found = find_memory(before[UNFOUND]) if UNFOUND in before else None
    if found is not None:
        del before[UNFOUND]
        before["superseded_by_id"] = found
    for names, find in ((MEMORIES_IN_REASON, find_memory), (REVISIONS_IN_REASON, find_revision)):
        for name in names:
            key = find(reason[name]) if isinstance(reason.get(name), str) else None
            reason |= {} if key is None else {name: key}
    has_changed = (before, reason) != (revision.before, revision.reason)
    revision.before, revision.reason = before, reason
    return has_changed


def waiting_uids(revision: MemoryRevision) -> tuple[set[str], set[str]]:
    """Of memories and of revisions that it names and that were not there when it came in."""
    memories = {revision.reason.get(name) for name in MEMORIES_IN_REASON} | {revision.before.get(UNFOUND)}
    revisions = {revision.reason.get(name) for name in REVISIONS_IN_REASON}
    return set(filter(is_uid, memories)), set(filter(is_uid, revisions))


def is_uid(value: Any) -> bool:
    return as_uid(value) is not None


def as_uid(value: Any) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) and len(value) == 36 else None
    except ValueError:
        return None
