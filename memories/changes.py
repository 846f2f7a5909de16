"""What a person or an agent does to a memory that is there: edit, disable, delete, and take back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.utils import timezone

from memories.creating import create
from memories.drafts import Draft, DraftError, Origin
from memories.indexing import Embedded, embed
from memories.locks import write_lock
from memories.merging import part
from memories.models import Memory, MemoryRevision
from memories.models.bulk import UNDO_TIME
from memories.redaction import Redacted, redact_changes, redact_draft
from memories.reversals import find_rewound, find_root, find_supersessions, find_twins, known_columns
from memories.revising import Change, assign, read_before, record, revise

__all__ = ["UNDO_TIME", "DraftError", "StaleError", "delete", "edit", "restore", "rewind", "set_enabled", "undo"]

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
# As the write gate cleans a draft.
CLEANED = ("content", "title", "description", "category", "tags", "metadata")


class StaleError(Exception):
    """Somebody else changed the memory meanwhile: `current` is the row as it stands, nothing was written."""

    def __init__(self, current: Memory) -> None:
        super().__init__(f"Memory {current.pk} has changed; it is in version {current.version} now.")
        self.current = current


def edit(
    memory: Memory,
    columns: Mapping[str, Any],
    origin: Origin,
    expected_version: int | None = None,
    also: Callable[[Memory], None] = lambda memory: None,
) -> Memory:
    """Write these columns (`type` may be given as a row). Returns the row as it stands.

    `also` is called in the transaction that writes: what it writes stands or falls with the edit.
    Raises StaleError where the version is not the expected one, DraftError where the content can't be kept,
    Memory.DoesNotExist where the row is gone.
    """
    redacted = redact_changes(memory, columns, origin)
    columns = clean_columns(memory, {**columns, **redacted.fields})
    return rewrite(memory, columns, Change(Action.EDITED, origin, redacted.reason), expected_version, also)


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


def undo(revision: MemoryRevision, origin: Origin, expected_version: int | None = None) -> Memory:
    """Give the columns that this one change touched their former values; later changes of other columns stay.

    Undoing a merge splits the newer wording off into a memory of its own, undoing a supersession leaves both
    standing, undoing an addition deletes it and revives what it replaced: what was said is never lost by taking
    something back. Undoing an undo carries the change out again. What comes back comes without secrets, as through the
    gate. Raises StaleError as `edit` does, DraftError where nothing but a secret would come back.
    """
    if revision.action == Action.ADDED:
        return undo_addition(revision, origin, expected_version)
    memory, (root, takes_back) = revision.memory, find_root(revision)
    if "merged" in root.reason:
        return undo_merge(revision, origin, expected_version)
    action = Action.REVIVED if root.action == Action.SUPERSEDED and takes_back else Action.RESTORED
    back = bring_back(memory, read_before(revision), origin)
    embedded = embed_if_needed(memory, back.fields)
    was_merge = root.action == Action.REINFORCED
    draft = draft_offered(root, origin) if was_merge and takes_back else None
    offered = embed(draft.content) if draft else None
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory, expected_version)
        change = Change(action, origin, {"undone": revision.pk} | back.reason)
        was_undone = revise(current, back.fields, change, embedded)
        if was_undone and draft:
            split_off(draft, root, origin, offered)
        if was_undone and was_merge and not takes_back:
            join_again(root, origin)
    return current


def undo_merge(revision: MemoryRevision, origin: Origin, expected_version: int | None) -> Memory:
    """Two memories that a person made one stand apart again; undone once more, one takes in the other again."""
    memory, (root, takes_back) = reread(revision.memory, expected_version), find_root(revision)
    if takes_back:
        return part(root, origin)
    back = bring_back(memory, read_before(revision), origin)
    rewrite(memory, back.fields, Change(Action.RESTORED, origin, {"undone": revision.pk} | back.reason))
    theirs = Memory.objects.of_person(memory.agent_id, memory.user_id).filter(pk=root.points_to("merged"))
    apart = MemoryRevision.objects.filter(memory__in=theirs, action=Action.REVIVED).order_by("-pk").first()
    if apart is not None and apart.memory.is_active:
        undo(apart, origin)
    return reread(memory)


def undo_addition(revision: MemoryRevision, origin: Origin, expected_version: int | None = None) -> Memory:
    """It goes, and what it had replaced counts again: both or neither."""
    memory, revivals = revision.memory, []
    for ending in find_supersessions(revision):
        back = bring_back(ending.memory, read_before(ending), origin)
        change = Change(Action.REVIVED, origin, {"undone": ending.pk} | back.reason)
        revivals.append((ending.memory, back.fields, change, embed_if_needed(ending.memory, back.fields)))
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory, expected_version)
        for old, columns, change, embedded in revivals:
            revise(reread(old), columns, change, embedded)
        revise(current, {"deleted_at": timezone.now()}, Change(Action.DELETED, origin, {"undone": revision.pk}))
    return current


def draft_offered(revision: MemoryRevision, origin: Origin) -> Draft:
    """The wording that a merge brought, as the gate would let it in now. Raises DraftError."""
    memory = revision.memory
    return redact_draft(Draft(revision.offered, memory.category, memory.type.key), memory.agent, origin)


def split_off(draft: Draft, revision: MemoryRevision, origin: Origin, embedded: Embedded | None) -> Memory:
    """The wording that was merged by mistake as a memory of its own, from the message that it was merged from."""
    memory = revision.memory
    heard = [revision.message_id] if revision.message_id else []
    source = replace(origin, conversation_id=revision.conversation_id, message_ids=heard)
    twin = create(memory.agent, memory.user_id, draft, source, embedded)
    reason = {"split_from": memory.pk, "undone": revision.pk} | draft.about_secrets
    record(twin, Change(Action.ADDED, origin, reason))
    return twin


def join_again(revision: MemoryRevision, origin: Origin) -> None:
    """Inside the write lock: what was split off is part of the memory again, and nothing is there twice."""
    for twin in find_twins(revision):
        change = Change(Action.DELETED, origin, {"merged_into": revision.memory_id})
        revise(twin, {"deleted_at": timezone.now()}, change)


def rewind(revision: MemoryRevision, origin: Origin, expected_version: int | None = None) -> Memory:
    """The memory as it stood just after this change, whatever came later; secrets as with `undo`. Raises as it does."""
    back = bring_back(revision.memory, find_rewound(revision), origin)
    change = Change(Action.RESTORED, origin, {"rewound": revision.pk} | back.reason)
    return rewrite(revision.memory, back.fields, change, expected_version)


def bring_back(memory: Memory, former: Mapping[str, Any], origin: Origin) -> Redacted:
    """Former columns as they may come back: as the gate would let them in now. Raises DraftError."""
    known = known_columns(former)
    redacted = redact_changes(memory, known, origin)
    return replace(redacted, fields=known | redacted.fields)


def rewrite(
    memory: Memory,
    columns: Mapping[str, Any],
    change: Change,
    expected: int | None = None,
    also: Callable[[Memory], None] = lambda memory: None,
) -> Memory:
    """Network first, then the row under the write lock, its indexes and its revision in one transaction."""
    embedded = embed_if_needed(memory, columns)
    with write_lock(memory.agent_id, memory.user_id):
        current = reread(memory, expected)
        revise(current, columns, change, embedded)
        also(current)
    return current


def reread(memory: Memory, expected_version: int | None = None) -> Memory:
    """The row as it stands now; the one at hand may be older. Raises Memory.DoesNotExist, StaleError."""
    current = Memory.objects.select_related("agent", "type").get(pk=memory.pk)
    if expected_version is not None and current.version != expected_version:
        raise StaleError(current)
    return current


def embed_if_needed(memory: Memory, columns: Mapping[str, Any]) -> Embedded | None:
    """The vector that the row will lack after the change, if it is to be findable then."""
    after = reread(memory)
    content = after.content
    assign(after, columns)
    if not after.is_findable or (after.content == content and after.embedded_with):
        return None
    return embed(after.content)


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
