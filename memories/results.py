"""Memories as a tool's answer: short text that a model can use and cite."""

from __future__ import annotations

import json

from memories.drafts import Decision
from memories.models import Memory
from memories.sections import inert

SENTENCES = {
    "added": "Remembered:",
    "ignored": "Known already:",
    "reinforced": "Known already, now in these words:",
    "superseded": "Remembered:",
}


def describe(memory: Memory, score: float | None = None, in_full: bool = False) -> str:
    """`[M12] text (semantic, user, 0.87)`; with title, tags and metadata where there are any."""
    notes = [memory.category, memory.type.key]
    if score is not None:
        notes.append(f"{score:.2f}")
    if memory.title:
        notes.append(f"title: {memory.title}")
    if memory.tags:
        notes.append("tags: " + ", ".join(memory.tags))
    if memory.metadata:
        notes.append("metadata: " + json.dumps(memory.metadata, ensure_ascii=False))
    if not memory.is_active:
        notes.append("not in use")
    text = memory.content if in_full else inert(memory.content)
    return f"[M{memory.pk}] {text} ({', '.join(map(inert, notes))})"


def say_decision(decision: Decision) -> str:
    said = f"{SENTENCES[decision.action]} {describe(decision.memory)}"
    if decision.previous is None:
        return said
    return f"{said}\nIt replaces {describe(decision.previous)}"
