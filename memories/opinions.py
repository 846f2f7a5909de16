"""What a chat model said of a draft and a memory near it, where the judge alone would let both stand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memories.judgement import Action, Answer, Verdict
from memories.models import Memory

ACTIONS: dict[Answer, Action] = {"same": "reinforce", "replaces": "supersede"}


@dataclass(frozen=True)
class Opinion:
    """Of the memory as it stood in `version`; of a later one it says nothing. `model` is its name."""

    memory_id: int
    version: int
    answer: Answer
    model: str


def find_opinion(opinions: Sequence[Opinion], memory: Memory) -> Opinion | None:
    return next((each for each in opinions if (each.memory_id, each.version) == (memory.pk, memory.version)), None)


def heed(opinion: Opinion, verdict: Verdict, permitted: Collection[Answer]) -> Verdict:
    """The verdict with the model's answer in its reason: as the model says where the guards permit it."""
    is_permitted = opinion.answer in permitted
    rule = f"model_{opinion.answer}" if is_permitted else "model_forbidden"
    said = {"rule": rule, "model": opinion.model, "answer": opinion.answer, "judged": verdict.reason.get("rule", "")}
    action = ACTIONS.get(opinion.answer, "add") if is_permitted else "add"
    confidence = verdict.confidence if action == "add" else float(verdict.reason.get("coverage") or 0.0)
    return Verdict(action, confidence, verdict.reason | said)
