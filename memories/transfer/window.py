"""What a file has said so far, so that a dry run sees entries of the same file repeat or replace each other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memories.drafts import Draft
from memories.indexing import Embedded
from memories.judgement import Statement, Verdict, judge, normalise, pick_best

# Entries that are remembered of each agent and person; vectors of 384 dimensions take 8 MB.
MOST = 5000
NEAREST = 12
# Under this cosine no model's figures call two texts the same.
FAR = 0.5

Place = tuple[int | str, int | None]


@dataclass
class Said:
    """Of one agent and person; `vectors` is (n, dim) float32, of which the first `len(drafts)` count."""

    drafts: list[tuple[int, Draft]] = field(default_factory=list)
    vectors: NDArray[np.float32] | None = None


class Window:
    def __init__(self) -> None:
        self.said: dict[Place, Said] = {}
        self.texts: dict[tuple[Place, str], int] = {}

    def judge(self, place: Place, draft: Draft, embedded: Embedded | None) -> tuple[int, Verdict] | None:
        """The line that the draft repeats or replaces, and how; None where it is new."""
        same = self.texts.get((place, normalise(draft.content)))
        if same is not None:
            return same, Verdict("ignore", 1.0, {"rule": "same_text"})
        said = self.said.get(place)
        if said is None or said.vectors is None or embedded is None:
            return None
        cosines = said.vectors[: len(said.drafts)] @ embedded.vector
        near = [int(each) for each in np.argsort(-cosines)[:NEAREST] if cosines[each] > FAR]
        new = as_statement(draft)
        verdicts = [
            judge(new, as_statement(said.drafts[each][1]), float(cosines[each]), embedded.calibration) for each in near
        ]
        best = pick_best(verdicts)
        return None if best is None else (said.drafts[near[best]][0], verdicts[best])

    def add(self, place: Place, line: int, draft: Draft, embedded: Embedded | None) -> None:
        """Forgets nothing; what exceeds MOST is not remembered."""
        said = self.said.setdefault(place, Said())
        if len(said.drafts) >= MOST:
            return
        self.texts[place, normalise(draft.content)] = line
        if embedded is None:
            return
        if said.vectors is None:
            said.vectors = np.empty((64, len(embedded.vector)), dtype=np.float32)
        if len(said.drafts) == len(said.vectors):
            said.vectors = np.concatenate([said.vectors, np.empty_like(said.vectors)])
        said.vectors[len(said.drafts)] = embedded.vector
        said.drafts.append((line, draft))


def as_statement(draft: Draft) -> Statement:
    return Statement(draft.content, draft.category, draft.valid_from, draft.valid_to)
