"""One change of a memory: its columns, its indexes and its revision, together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import F
from django.utils import timezone

from memories.drafts import Origin, hash_content
from memories.health.vanishing import forget_findings
from memories.indexing import Embedded, forget_vector, index, index_all
from memories.models import Memory, MemoryRevision
from memories.tagging import write_tags
from memories.tallying import tally_changes, where_counted
from memories.titles import title_key
from xiajiao.batches import BATCH, batched

# What decides whether a memory is found, beside its text.
STATE_COLUMNS = {"enabled", "deleted_at", "superseded_by_id", "valid_to"}
# What a row is and what is made of its columns: no change ever touched them, whatever an imported history claims.
FIXED_COLUMNS = {
    *("id", "uid", "agent_id", "user_id"),
    *("content_hash", "title_key", "embedded_with", "looked_version"),
}
# Hearing the same again changes nothing that a person edits: it must not make their edit stale.
QUIET_COLUMNS = {"proof_count", "message_ids"}


@dataclass(frozen=True)
class Change:
    """What a revision says beside the columns: `action` is a MemoryRevision.Action."""

    action: str
    origin: Origin
    reason: dict[str, Any] = field(default_factory=dict)
    offered: str = ""
    bulk_id: int | None = None


def revise(memory: Memory, columns: Mapping[str, Any], change: Change, embedded: Embedded | None = None) -> bool:
    """Give the row other columns, index it and write the revision; False where nothing would change.

    Inside the write lock, with a row that was read there. `embedded`: the vector of the new content, if there is one.
    """
    before = find_differing(memory, columns)
    if not before:
        return False
    counted = where_counted(memory)
    assign(memory, {name: columns[name] for name in before})
    saved = set(before)
    if set(before) - QUIET_COLUMNS:
        memory.version += 1
        memory.updated_at = timezone.now()
        saved |= {"version", "updated_at", "content_hash", "title_key"}
    memory.save(update_fields=saved)
    tally_changes([counted], [memory])
    if "tags" in before:
        write_tags(memory)
    if "content" in before and (embedded is None or embedded.text != memory.content):
        forget_vector(memory)
    if set(before) - QUIET_COLUMNS:
        index(memory, embedded)
    record(memory, change, before)
    forget_findings([memory], before)
    return True


def revise_all(
    memories: Sequence[Memory],
    columns: Mapping[str, Any],
    changes: Mapping[int, Change],
    embedded: Mapping[int, Embedded] | None = None,
) -> list[Memory]:
    """`revise` for rows of one agent and person that get the same columns at once; returns those that changed.

    For columns without text. `changes` and `embedded` by the memory's primary key. A row's `updated_at` and its
    revision's `at` are the same moment, which tells later that nobody has changed it since.
    """
    before = {memory.pk: find_differing(memory, columns) for memory in memories}
    changed = [memory for memory in memories if before[memory.pk]]
    counted, now = [where_counted(memory) for memory in changed], timezone.now()
    for batch in batched(changed):
        rows = Memory.objects.filter(pk__in=[memory.pk for memory in batch])
        rows.update(**columns, version=F("version") + 1, updated_at=now)
    for memory in changed:
        assign(memory, {**columns, "version": memory.version + 1, "updated_at": now})
    tally_changes(counted, changed)
    forget_findings(changed, columns)
    if STATE_COLUMNS & set(columns):
        index_all(changed, embedded or {})
    revisions = [as_revision(memory, changes[memory.pk], before[memory.pk]) for memory in changed]
    for revision in revisions:
        revision.at = now
    MemoryRevision.objects.bulk_create(revisions, batch_size=BATCH)
    return changed


def find_differing(memory: Memory, columns: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in these columns where it is something else."""
    return {name: getattr(memory, name) for name, value in columns.items() if getattr(memory, name) != value}


def assign(memory: Memory, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(memory, name, value)
    if "content" in columns:
        memory.content_hash = hash_content(memory.content)
    if {"content", "title"} & set(columns):
        memory.title_key = title_key(memory.title, memory.content)


def record(memory: Memory, change: Change, before: Mapping[str, Any] | None = None) -> MemoryRevision:
    revision = as_revision(memory, change, before or {})
    revision.save()
    return revision


def as_revision(memory: Memory, change: Change, before: Mapping[str, Any]) -> MemoryRevision:
    origin = change.origin
    return MemoryRevision(
        memory=memory,
        action=change.action,
        actor=origin.actor,
        user_id=origin.user_id,
        conversation_id=origin.conversation_id,
        message_id=origin.message_ids[-1] if origin.message_ids else None,
        answer_id=origin.answer_id,
        reason=change.reason | origin.reason,
        before={name: as_json(value) for name, value in before.items()},
        offered=change.offered,
        bulk_id=change.bulk_id,
    )


def as_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def read_before(revision: MemoryRevision) -> dict[str, Any]:
    """The columns that the revision changed, as they were before it."""
    return read_columns(revision.before)


def read_columns(before: Mapping[str, Any]) -> dict[str, Any]:
    """A revision's `before`, read from JSON; columns that there are no more, or that never change, are left out."""
    fields = columns_by_name()
    return {name: fields[name].to_python(value) for name, value in before.items() if name in fields}


@cache
def columns_by_name() -> dict[str, Any]:
    fields = Memory._meta.concrete_fields
    return {field.attname: field for field in fields if field.attname not in FIXED_COLUMNS}
