"""Memories as a tool's answer: short text that a model can use and cite."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memories.drafts import Decision
from memories.models import Memory
from memories.redaction import name_kinds
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
    said = [f"{SENTENCES[decision.action]} {describe(decision.memory)}"]
    if decision.previous is not None:
        said.append(f"It replaces {describe(decision.previous)}")
    return "\n".join([*said, *say_left_out(decision.left_out)])


def say_left_out(kinds: Sequence[str]) -> list[str]:
    """A line for the model where something was left out; else none."""
    if not kinds:
        return []
    return [f"Secrets are not kept in memories: {name_kinds(kinds)} was left out. Tell the user so in a few words."]
