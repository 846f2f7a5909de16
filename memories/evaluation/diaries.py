"""People's messages over weeks, replayed through the write gate: is what a later question needs still there?

Files are JSON lists of {tid, message_list: [{mid, message}], question_list: [{target_step_id: [mid]}]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memories import gate
from memories.evaluation.pairs import SCRATCH
from memories.evaluation.tallies import EvidenceTally
from memories.judgement import normalise
from memories.models import Agent, Memory, MemoryRevision
from xiajiao.models import User


def read_diaries(folder: Path) -> list[dict[str, Any]]:
    """Of all `*.json` of a folder, one for each person."""
    return [diary for path in sorted(folder.glob("*.json")) for diary in json.loads(path.read_text(encoding="utf-8"))]


def replay_diaries(agent: Agent, diaries: Iterable[dict[str, Any]]) -> EvidenceTally:
    tally = EvidenceTally()
    for number, diary in enumerate(diaries):
        person = User.objects.create(username=f"diary-{number}", is_active=False)
        messages = {message["mid"]: message["message"] for message in diary["message_list"]}
        for text in messages.values():
            gate.write(agent, person.pk, gate.Draft(text), SCRATCH)
        count(tally, person, [messages[mid] for mid in find_evidence(diary)])
    return tally


def find_evidence(diary: dict[str, Any]) -> list[int]:
    ids = {mid for question in diary["question_list"] for mid in question["target_step_id"]}
    return sorted(ids)


def count(tally: EvidenceTally, person: User, evidence: list[str]) -> None:
    """A message counts as active where an active memory says it word for word, whatever it was merged with."""
    active = {normalise(text) for text in Memory.objects.filter(user=person).active().values_list("content", flat=True)}
    known = active | {normalise(text) for text in read_history(person)}
    tally.evidence += len(evidence)
    tally.inactive += sum(normalise(text) not in active for text in evidence)
    tally.lost += sum(normalise(text) not in known for text in evidence)


def read_history(person: User) -> list[str]:
    """Every wording that any memory of the person has or had."""
    texts = list(Memory.objects.filter(user=person).values_list("content", flat=True))
    for revision in MemoryRevision.objects.filter(memory__user=person):
        texts += [revision.offered, str(revision.before.get("content", ""))]
    return texts
