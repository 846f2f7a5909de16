"""What a person or an agent does to a memory that is there: edit, disable, delete, and take back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from memories.creating import create
from memories.drafts import Draft, DraftError, Origin
from memories.indexing import Embedded, embed
from memories.locks import write_lock
from memories.merging import part
from memories.models import Memory, MemoryRevision, MemoryType
from memories.redaction import redact_fields
from memories.revising import Change, assign, read_before, record, revise

__all__ = ["UNDO_TIME", "DraftError", "StaleError", "delete", "edit", "restore", "rewind", "set_enabled", "undo"]

# How long a deleted memory can be brought back; then the sweep removes it.
UNDO_TIME = timedelta(minutes=10)
Action = MemoryRevision.Action
EDITABLE = {
    "content",
    "title",
    "description",
    "category",
    "type_id",
    "tags",
    "metadata",
    "importance",
    "pinned",
    "enabled",
    "valid_from",
    "valid_to",
}


class StaleError(Exception):
    """Somebody else changed the memory meanwhile: `current` is the row as it stands, nothing was written."""

    def __init__(self, current: Memory) -> None:
        super().__init__(f"Memory {current.pk} has changed; it is in version {current.version} now.")
        self.current = current


def edit(memory: Memory, columns: Mapping[str, Any], origin: Origin, expected_version: int | None = None) -> Memory:
    """Write these columns (`type` may be given as a row). Returns the row as it stands.

    Raises StaleError where the version is not the expected one, DraftError where the content can't be kept,
    Memory.DoesNotExist where the row is gone.
    """
    redacted = redact_fields(find_changed(memory, columns), memory.agent, origin)
    columns = clean_columns(memory, {**columns, **redacted.fields})
    return rewrite(memory, columns, Change(Action.EDITED, origin, redacted.reason), expected_version)


def set_enabled(memory: Memory, enabled: bool, origin: Origin) -> Memory:
    return rewrite(memory, {"enabled": enabled}, Change(Action.ENABLED if enabled else Action.DISABLED, origin))


def delete(memory: Memory, origin: Origin) -> Memory:
    """Shows nowhere and is found by nothing from now on; `restore` brings it back within UNDO_TIME."""
    if memory.deleted_at is not None:
        return memory
    return rewrite(memory, {"deleted_at": timezone.now()}, Change(Action.DELETED, origin))


def restore(memory: Memory, origin: Origin) -> Memory:
    """Bring a deleted memory back. Raises Memory.DoesNotExist where the sweep was faster."""
    return rewrite(memory, {"deleted_at": None}, Change(Action.RESTORED, origin))


def undo(revision: MemoryRevision, origin: Origin) -> Memory:
    """Give the columns that this one change touched their former values; later changes of other columns stay.

    Undoing a merge splits the newer wording off into a memory of its own, and undoing a supersession leaves both
    standing: what was said is never lost by taking something back.
    """
    if "merged" in revision.reason:
        return part(revision, origin)
    memory = revision.memory
    action = Action.REVIVED if revision.action == Action.SUPERSEDED else Action.RESTORED
    columns = known_columns(read_before(revision))
    embedded = embed_if_needed(memory, columns)
    offered = embed(revision.offered) if revision.action == Action.REINFORCED else None
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory)
        was_undone = revise(current, columns, Change(action, origin, {"undone": revision.pk}), embedded)
        if was_undone and revision.action == Action.REINFORCED:
            split_off(current, revision, origin, offered)
    return current


def split_off(memory: Memory, revision: MemoryRevision, origin: Origin, embedded: Embedded | None) -> Memory:
    """The wording that was merged by mistake as a memory of its own, from the message that it was merged from."""
    draft = Draft(revision.offered, memory.category, memory.type.key)
    heard = [revision.message_id] if revision.message_id else []
    source = replace(origin, conversation_id=revision.conversation_id, message_ids=heard)
    twin = create(memory.agent, memory.user_id, draft, source, embedded)
    record(twin, Change(Action.ADDED, origin, {"split_from": memory.pk, "undone": revision.pk}))
    return twin


def rewind(revision: MemoryRevision, origin: Origin) -> Memory:
    """The memory as it stood just after this change, whatever came later."""
    columns: dict[str, Any] = {}
    later = revision.memory.revisions.filter(pk__gt=revision.pk)
    for change in later.order_by("-pk"):
        columns |= read_before(change)
    return rewrite(revision.memory, known_columns(columns), Change(Action.RESTORED, origin, {"rewound": revision.pk}))


def rewrite(memory: Memory, columns: Mapping[str, Any], change: Change, expected: int | None = None) -> Memory:
    """Network first, then the row under the write lock, its indexes and its revision in one transaction."""
    embedded = embed_if_needed(memory, columns)
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory)
        if expected is not None and current.version != expected:
            raise StaleError(current)
        revise(current, columns, change, embedded)
    return current


def reread(memory: Memory) -> Memory:
    """The row as it stands now; the one at hand may be older. Raises Memory.DoesNotExist."""
    return Memory.objects.select_related("agent", "type").get(pk=memory.pk)


def embed_if_needed(memory: Memory, columns: Mapping[str, Any]) -> Embedded | None:
    """The vector that the row will lack after the change, if it is to be findable then."""
    after = reread(memory)
    content = after.content
    assign(after, columns)
    if not after.is_findable or (after.content == content and after.embedded_with):
        return None
    return embed(after.content)


def find_changed(memory: Memory, columns: Mapping[str, Any]) -> dict[str, Any]:
    """A secret that somebody chose to keep stays where the text stays."""
    return {name: value for name, value in columns.items() if getattr(memory, name, None) != value}


def clean_columns(memory: Memory, columns: Mapping[str, Any]) -> dict[str, Any]:
    columns = dict(columns)
    if "type" in columns:
        columns["type_id"] = columns.pop("type").pk
    unknown = set(columns) - EDITABLE
    if unknown:
        raise ValueError(f"No person edits {', '.join(sorted(unknown))}.")
    texts = {name: columns.get(name, getattr(memory, name)) for name in CLEANED}
    cleaned = Draft(**texts).cleaned()
    return columns | {name: getattr(cleaned, name) for name in CLEANED if name in columns}


CLEANED = ("content", "title", "description", "category", "tags", "metadata")


def known_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Without pointers to rows that are gone by now."""
    known = dict(columns)
    if "type_id" in known and not MemoryType.objects.filter(pk=known["type_id"]).exists():
        del known["type_id"]
    if known.get("superseded_by_id") and not Memory.objects.filter(pk=known["superseded_by_id"]).exists():
        known["superseded_by_id"] = None
    return known
