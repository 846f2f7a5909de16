"""What waits, and what was decided lately, as a place where a forgotten memory's words may lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memories.approval.packing import MOMENTS, hash_pending
from memories.models import PendingWrite
from memories.profiles.forgetting import strip_text
from memories.striking import strike_text
from xiajiao.places import Forgotten, Kind, Place, register

# Of a draft: nobody's words.
CODES = {"category", "type_key", "file", "action", "about_secrets", "left_out", *MOMENTS}


def find(forgotten: Forgotten) -> list[PendingWrite]:
    """Of the person; where all users of the agent share the memory, its owner's and what would change this memory."""
    person = Q(user=forgotten.user_id)
    if forgotten.user_id is None:
        person = Q(user=F("agent__owner")) | Q(memory=forgotten.memory_id)
    owned = person & (Q(agent=forgotten.only_agent_id) if forgotten.only_agent_id else Q())
    return [row for row in PendingWrite.objects.filter(owned) if holds(row, forgotten)]


def holds(pending: PendingWrite, forgotten: Forgotten) -> bool:
    if forgotten.memory_id and pending.memory_id == forgotten.memory_id:
        return True
    if forgotten.message_ids & set(pending.message_ids):
        return True
    return strike_draft(pending.draft, forgotten) != pending.draft


def strike_draft(draft: Mapping[str, Any], forgotten: Forgotten) -> dict[str, Any]:
    """In whatever words it says it."""
    return {
        name: value if name in CODES else map_texts(value, lambda text: leave_out(text, forgotten))
        for name, value in draft.items()
        if name != "columns"
    } | ({"columns": strike_draft(draft["columns"], forgotten)} if "columns" in draft else {})


def leave_out(text: str, forgotten: Forgotten) -> str:
    left = strip_text(text, forgotten).text
    return left if forgotten.kind == Kind.TOPIC else strike_text(left, forgotten.telling, forgotten.mark)


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The same with each of its texts changed."""
    match value:
        case str():
            return change(value)
        case dict():
            return {name: map_texts(item, change) for name, item in value.items()}
        case list():
            return [map_texts(item, change) for item in value]
    return value


def count(forgotten: Forgotten) -> int:
    return len(find(forgotten))


def scrub(forgotten: Forgotten) -> int:
    found = find(forgotten)
    PendingWrite.objects.filter(pk__in=[row.pk for row in found]).delete()
    return len(found)


def strike(forgotten: Forgotten) -> int:
    """What says a topic goes whole. Of other texts nothing stays that could be tried out: no hash of the former one."""
    if forgotten.kind == Kind.TOPIC:
        return scrub(forgotten)
    found = find(forgotten)
    for row in found:
        row.draft = strike_draft(row.draft, forgotten)
        row.text_hash = hash_pending(row)
    PendingWrite.objects.bulk_update(found, ["draft", "text_hash"], batch_size=100)
    return len(found)


register(Place("pending", _("what waited for your approval"), count, scrub, rank=65, strike=strike))
