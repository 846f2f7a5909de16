"""Secrets in memories that are there already: found, and struck out of the row, its indexes, its whole history and
the copies that answers keep of it.

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
from memories.redaction.finding import DEFAULT_KINDS, FINDERS, find_secrets
from memories.redaction.marks import is_nothing_but_marks, mark_of
from memories.revising import Change, revise
from xiajiao.places import strike_out as strike_out_of_copies

FIELDS = (*TEXTS, "tags", "metadata")
# Code of `reason["rule"]`.
STRUCK = "struck_out"
LONG = 12  # characters


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
        columns, texts = strike_fields(current, pen), find_struck(current, pen)
        strike_history(current, pen)
        change = Change(MemoryRevision.Action.EDITED, origin, {"rule": STRUCK, "left_out": in_order(pen.seen)})
        revise(current, columns, change, embedded)
        strike_history(current, pen)
        for text in sorted(texts, key=len, reverse=True):
            strike_out_of_copies(current.agent_id, current.user_id, [text], texts[text])
    return current.revisions.order_by("-pk")[0]


def find_struck(memory: Memory, pen: Pen) -> dict[str, str]:
    """Each text that it has or had with a secret in it, and the same without; long secrets alone too, as copies may be
    cut short. A short one is perhaps a word that others use."""
    held = [{name: getattr(memory, name) for name in TEXTS}]
    for revision in memory.revisions.all():
        held += [{name: revision.before.get(name) for name in TEXTS}, {"offered": revision.offered}]
    texts = {text for columns in held for text in columns.values() if isinstance(text, str) and text.strip()}
    struck = {text: clean for text in texts if (clean := pen.strike(text)) != text}
    found = [(text[start:end], kind) for text in struck for kind, start, end in find_secrets(text, pen.kinds)]
    return struck | {secret: mark_of(kind, pen.is_chinese) for secret, kind in found if len(secret) >= LONG}


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
