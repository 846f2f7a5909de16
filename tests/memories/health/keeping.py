"""Memories with their indexes, past the gate: as an import that restores rows leaves them."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from memories.creating import create
from memories.drafts import Draft, Origin
from memories.indexing import embed
from memories.locks import write_lock
from memories.models import Agent, Finding, Memory

BY_HAND = Origin("person", "manual")


def keep(agent: Agent, content: str, **columns: Any) -> Memory:
    person = columns.pop("user_id", agent.owner_id)
    embedded = embed(content)
    with write_lock(agent.pk, person):
        memory = create(agent, person, Draft(content), Origin("agent", "tool", person), embedded)
    if columns:
        Memory.objects.filter(pk=memory.pk).update(**columns)
    memory.refresh_from_db()
    return memory


def days_ago(days: int) -> Any:
    return timezone.now() - timedelta(days=days)


def open_findings(kind: str) -> list[Finding]:
    return list(Finding.objects.open().filter(kind=kind))
