"""A draft and its origin as a row keeps them, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from memories.creating import find_type
from memories.drafts import Draft, DraftError, Origin, hash_content
from memories.models import Memory, MemoryRevision, MemoryType, PendingWrite

MOMENTS = ("valid_from", "valid_to", "said_at")
NAMES = {each.name for each in fields(Draft)}


def pack_draft(draft: Draft) -> dict[str, Any]:
    packed = asdict(draft) | {"tags": list(draft.tags)}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in packed.items()}


def unpack_draft(pending: PendingWrite) -> Draft:
    """It was said when it was proposed, not when it is approved."""
    columns = {name: value for name, value in pending.draft.items() if name in NAMES}
    columns |= {name: parse_datetime(columns[name]) for name in MOMENTS if columns.get(name)}
    draft = Draft(**columns)
    return replace(draft, said_at=draft.said_at or pending.created_at)


def with_a_type(draft: Draft) -> Draft:
    """One that is gone became the usual one."""
    return draft if look_up_type(draft.type_key) else replace(draft, type_key="user")


def look_up_type(key: str) -> MemoryType | None:
    """None where it is gone, and nothing took its place."""
    try:
        return find_type(key)
    except DraftError:
        return None


def hash_pending(pending: PendingWrite) -> str:
    """The same for what proposes the same."""
    if pending.kind == PendingWrite.Kind.MEMORY:
        return hash_content(pending.draft["content"])
    named = {} if pending.is_profile else {"memory": pending.memory_id, "kind": pending.kind}
    return hash_packed(pending.draft | named)


def hash_packed(packed: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(packed, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def origin_columns(origin: Origin) -> dict[str, Any]:
    heard = list(origin.message_ids)
    beside = {"actor": origin.actor, "message_id": heard[-1] if heard else None, "answer_id": origin.answer_id}
    return origin.columns | beside


def origin_of(pending: PendingWrite) -> Origin:
    """As it was proposed, with who approves it."""
    is_extracted = pending.actor == MemoryRevision.Actor.EXTRACTION
    return Origin(
        actor=pending.actor,
        source=Memory.Source.EXTRACTION if is_extracted else Memory.Source.TOOL,
        user_id=pending.user_id,
        conversation_id=pending.conversation_id,
        message_ids=pending.message_ids,
        answer_id=pending.answer_id,
        extractor_model=pending.extractor_model,
        prompt_version=pending.prompt_version,
        job_id=pending.job_id,
        approved_by=pending.user_id,
    )
