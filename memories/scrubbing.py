"""Secrets in memories that are there already: found, and struck out of the row, its indexes and its whole history.

They came before the write gate left them out, with its setting off, or past it. Nothing that is struck out here can be
brought back; the messages and files that it came from are not touched.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Q

from memories.drafts import Origin
from memories.indexing import embed
from memories.locks import write_lock
from memories.models import Memory, MemoryRevision
from memories.redaction.fields import TEXTS, Pen, is_in_chinese
from memories.redaction.finding import DEFAULT_KINDS, FINDERS
from memories.redaction.marks import is_nothing_but_marks
from memories.revising import Change, revise

FIELDS = (*TEXTS, "tags", "metadata")
# Code of `reason["rule"]`.
STRUCK = "struck_out"


def find_kept_secrets(memory: Memory) -> tuple[list[str], list[str]]:
    """Kinds of secrets in what it says, and in its history alone; without those that a person kept on purpose."""
    pen = make_pen(memory)
    strike_fields(memory, pen)
    said, old = set(pen.seen), make_pen(memory)
    insisted: set[str] = set()
    for revision in memory.revisions.all():
        strike_revision(revision, old)
        insisted.update(revision.reason.get("kept_secrets", ()))
    return in_order(said - insisted), in_order(old.seen - said - insisted)


def strike_out(memory: Memory, origin: Origin) -> MemoryRevision:
    """Put a mark in the place of each secret. Returns the revision that says so. Raises Memory.DoesNotExist."""
    content = strike_fields(memory, make_pen(memory))["content"]
    embedded = embed(content) if content != memory.content and memory.is_findable else None
    with write_lock(memory.agent_id, memory.user_id):
        current = Memory.objects.select_related("agent", "type").get(pk=memory.pk)
        pen = make_pen(current)
        columns = strike_fields(current, pen)
        strike_history(current, pen)
        change = Change(MemoryRevision.Action.EDITED, origin, {"rule": STRUCK, "left_out": in_order(pen.seen)})
        revise(current, columns, change, embedded)
        strike_history(current, pen)
    return current.revisions.order_by("-pk")[0]


def strike_history(memory: Memory, pen: Pen) -> None:
    """Its own revisions, and those of memories that it replaced or took in: they hold the text that did so."""
    told = Q(memory=memory) | Q(memory__superseded_by=memory) | Q(memory__supersedes=memory)
    for revision in MemoryRevision.objects.filter(told).distinct():
        before, offered, reason = strike_revision(revision, pen)
        if (before, offered, reason) != (revision.before, revision.offered, revision.reason):
            changed = {"before": before, "offered": offered, "reason": reason}
            MemoryRevision.objects.filter(pk=revision.pk).update(**changed)


def strike_revision(revision: MemoryRevision, pen: Pen) -> tuple[Any, str, Any]:
    return strike_columns(revision.before, pen), pen.strike(revision.offered), pen.strike_value("", revision.reason)


def strike_fields(memory: Memory, pen: Pen) -> dict[str, Any]:
    return strike_columns({name: getattr(memory, name) for name in FIELDS}, pen)


def strike_columns(columns: Mapping[str, Any], pen: Pen) -> dict[str, Any]:
    """Of a row; what holds no words of a person's goes through untouched."""
    return {name: strike_value(name, value, pen) for name, value in columns.items()}


def strike_value(name: str, value: Any, pen: Pen) -> Any:
    if name == "tags":
        return [tag for tag in map(pen.strike, map(str, value)) if not is_nothing_but_marks(tag)]
    if name == "metadata":
        return pen.strike_value("", value)
    return pen.strike(value) if name in TEXTS else value


def show_without_secrets(memory: Memory) -> str:
    """What a page shows of it: its text as it will stand."""
    return make_pen(memory).strike(memory.content)


def make_pen(memory: Memory) -> Pen:
    """What the gate leaves out by default, and what its agent's setting adds."""
    kinds = DEFAULT_KINDS | memory.agent.secret_kinds
    return Pen(kinds, is_in_chinese(memory.content, memory.agent))


def in_order(kinds: Collection[str]) -> list[str]:
    return [kind for kind in FINDERS if kind in kinds]
