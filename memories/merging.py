"""Two memories that stand side by side: one of them takes in the other, or takes its place. Both ways can be undone.

As at the write gate nothing is destroyed: what is taken in or replaced ends, stays in the history and can come back.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from memories.drafts import Origin
from memories.indexing import Embedded, embed
from memories.locks import write_lock
from memories.models import Memory, MemoryRevision
from memories.redaction import redact_changes
from memories.revising import Change, read_before, revise

Action = MemoryRevision.Action
# Codes of `reason["rule"]` in the revisions of both.
MERGED, REPLACED = "merged_by_hand", "replaced_by_hand"


class SettledError(Exception):
    """One of the two is gone, ended or belongs to somebody else by now: nothing was written."""


def merge(kept: Memory, other: Memory, origin: Origin) -> MemoryRevision:
    """`kept` says it from now on, in its own words; proofs, sources, tags and marks of both add up.

    Returns the revision of `kept` that `part` takes back. Raises SettledError.
    """
    with write_lock(kept.agent_id, kept.user_id):
        kept, other = reread(kept, other)
        reason = {"rule": MERGED, "merged": other.pk}
        columns = add_up(kept, other)
        source = replace(origin, conversation_id=other.conversation_id, message_ids=other.message_ids)
        revise(kept, columns, Change(Action.REINFORCED, source, reason, other.content))
        revision = kept.revisions.order_by("-pk")[0]
        end(other, kept, timezone.now(), Change(Action.SUPERSEDED, origin, {"rule": MERGED, "into": kept.pk}))
    return revision


def add_up(kept: Memory, other: Memory) -> dict[str, Any]:
    """As when the gate hears the same again; what a person has set is never lowered."""
    return {
        "proof_count": kept.proof_count + other.proof_count,
        "message_ids": list(dict.fromkeys([*kept.message_ids, *other.message_ids])),
        "title": kept.title or other.title,
        "description": kept.description or other.description,
        "tags": list(dict.fromkeys([*kept.tags, *other.tags])),
        "metadata": other.metadata | kept.metadata,
        "importance": max(kept.importance, other.importance),
        "pinned": kept.pinned or other.pinned,
        "quote": kept.quote or other.quote,
    }


def supersede(new: Memory, old: Memory, origin: Origin) -> MemoryRevision:
    """`old` ends where `new` begins, as at the gate. Returns the revision of `old`. Raises SettledError."""
    with write_lock(new.agent_id, new.user_id):
        new, old = reread(new, old)
        begin = max(new.valid_from or timezone.now(), old.valid_from or datetime.min.replace(tzinfo=UTC))
        change = Change(Action.SUPERSEDED, origin, {"rule": REPLACED}, new.content)
        end(old, new, min(begin, old.valid_to or begin), change)
    return old.revisions.order_by("-pk")[0]


def part(revision: MemoryRevision, origin: Origin) -> Memory:
    """Take a merge back: both stand as they stood before, later changes of other columns stay."""
    kept, other = revision.memory, find_taken_in(revision)
    embedded = embed(other.content) if other is not None else None
    with write_lock(kept.agent_id, kept.user_id):
        kept, other = Memory.objects.select_related("agent", "type").get(pk=kept.pk), find_taken_in(revision)
        former = read_before(revision)
        redacted = redact_changes(kept, former, origin)
        change = Change(Action.RESTORED, origin, {"undone": revision.pk} | redacted.reason)
        revise(kept, former | redacted.fields, change)
        if other is not None:
            revive(other, origin, embedded)
    return kept


def find_taken_in(revision: MemoryRevision) -> Memory | None:
    """The other one of a merge, as it stands; None where it is gone, or something else became of it since."""
    rows = Memory.objects.filter(pk=revision.points_to("merged"), superseded_by=revision.memory_id)
    return rows.select_related("agent").first()


def revive(memory: Memory, origin: Origin, embedded: Embedded | None) -> None:
    """Inside the write lock."""
    revision = memory.revisions.filter(action=Action.SUPERSEDED).order_by("-pk").first()
    if revision is not None:
        revise(memory, read_before(revision), Change(Action.REVIVED, origin, {"undone": revision.pk}), embedded)


def end(old: Memory, new: Memory, moment: datetime, change: Change) -> None:
    revise(old, {"valid_to": moment, "superseded_by_id": new.pk}, change)


def reread(*memories: Memory) -> list[Memory]:
    """Inside the write lock, in the given order. Raises SettledError where one of them no longer counts."""
    agent_id, user_id = memories[0].agent_id, memories[0].user_id
    rows = Memory.objects.filter(agent=agent_id, user=user_id, superseded_by__isnull=True).active()
    found = rows.select_related("agent", "type").in_bulk([memory.pk for memory in memories])
    if len(found) < len(memories):
        raise SettledError
    return [found[memory.pk] for memory in memories]
