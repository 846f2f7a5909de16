"""What waits, and what was decided lately, as a place where a forgotten memory's words may lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memories.models import PendingWrite
from xiajiao.places import Forgotten, Place, register


def find(forgotten: Forgotten) -> list[PendingWrite]:
    """Of the person; where all users of the agent share the memory, its owner's and what would change this memory."""
    owned = Q(user=forgotten.user_id)
    if forgotten.user_id is None:
        owned = Q(agent=forgotten.agent_id) & (Q(user=F("agent__owner")) | Q(memory=forgotten.memory_id))
    return [row for row in PendingWrite.objects.filter(owned) if holds(row, forgotten)]


def holds(pending: PendingWrite, forgotten: Forgotten) -> bool:
    if forgotten.memory_id and pending.memory_id == forgotten.memory_id:
        return True
    if forgotten.message_ids & set(pending.message_ids):
        return True
    return any(wording in text for text in list_texts(pending.draft) for wording in forgotten.telling)


def list_texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from list_texts(list(value.values()))
        case list():
            for item in value:
                yield from list_texts(item)


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
    found = find(forgotten)
    for row in found:
        draft = map_texts(row.draft, lambda text: replace_all(text, forgotten))
        PendingWrite.objects.filter(pk=row.pk).update(draft=draft)
    return len(found)


def replace_all(text: str, forgotten: Forgotten) -> str:
    for wording in forgotten.telling:
        text = text.replace(wording, forgotten.mark)
    return text


register(Place("pending", _("what waited for your approval"), count, scrub, rank=65, strike=strike))
