"""Labelled pairs of memories, replayed through the write gate in both orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memories import gate
from memories.evaluation.tallies import PairTally
from memories.judgement import normalise
from memories.models import Agent, Memory, MemoryRevision
from xiajiao.models import User

LABELS = {"S", "R", "C", "U"}
SCRATCH = gate.Origin(MemoryRevision.Actor.SYSTEM, Memory.Source.IMPORT)


@dataclass(frozen=True)
class LabelledPair:
    label: str
    first: str
    second: str

    @property
    def language(self) -> str:
        """zh, en, or x where one is Chinese and the other is not."""
        languages = {"zh" if has_chinese(text) else "en" for text in (self.first, self.second)}
        return languages.pop() if len(languages) == 1 else "x"


def has_chinese(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def read_pairs(folder: Path) -> list[LabelledPair]:
    """All `*.txt` of a folder, lines of `label|text|text`; raises ValueError naming a line that is none."""
    return [pair for path in sorted(folder.glob("*.txt")) for pair in read_file(path)]


def read_file(path: Path) -> Iterator[LabelledPair]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 3 or parts[0] not in LABELS or not normalise(parts[1]) or not normalise(parts[2]):
            raise ValueError(
                f"{path}:{number}: expected `label|text|text` with a label of {', '.join(sorted(LABELS))}."
            )
        yield LabelledPair(*parts)


def replay_pairs(agent: Agent, pairs: Iterable[LabelledPair]) -> dict[str, PairTally]:
    """By language, and "all"; each order of each pair is written for a person of its own."""
    tallies: dict[str, PairTally] = {}
    for number, pair in enumerate(pairs):
        for order, (old, new) in enumerate([(pair.first, pair.second), (pair.second, pair.first)]):
            person = User.objects.create(username=f"pair-{number}-{order}", is_active=False)
            gate.write(agent, person.pk, gate.Draft(old), SCRATCH)
            decision = gate.write(agent, person.pk, gate.Draft(new), SCRATCH)
            tallies.setdefault(pair.language, PairTally()).add(pair.label, decision.action)
    tallies["all"] = sum(tallies.values(), PairTally())
    return tallies
