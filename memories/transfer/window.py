"""What a file has said so far, so that a dry run sees entries of the same file repeat or replace each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memories.drafts import Draft
from memories.indexing import Embedded
from memories.judgement import Statement, Verdict, judge, normalise, pick_best
from xiajiao.fulltext.terms import terms

# Entries that are remembered of each agent and person; vectors of 384 dimensions take 8 MB.
MOST = 5000
NEAREST = 12
# Under this cosine no model's figures call two texts the same.
FAR = 0.5
# What so many entries share tells none of them apart.
COMMON = 500

Place = tuple[int | str, int | None]


@dataclass
class Said:
    """Of one agent and person; `vectors` is (n, dim) float32, of which the first `len(drafts)` count.

    `bare`: places of drafts that have no vector. `postings`: by word, the places of the drafts that hold it.
    """

    drafts: list[tuple[int, Draft]] = field(default_factory=list)
    vectors: NDArray[np.float32] | None = None
    bare: set[int] = field(default_factory=set)
    postings: dict[str, list[int]] = field(default_factory=dict)

    def find_near(self, draft: Draft, embedded: Embedded | None) -> dict[int, float | None]:
        """Places of the nearest drafts with their cosines; None for what was found by its words alone."""
        by_words = self.find_by_words(draft, embedded) if embedded is None or self.bare else []
        near: dict[int, float | None] = dict.fromkeys(by_words)
        if embedded is not None and self.vectors is not None:
            cosines = self.vectors[: len(self.drafts)] @ embedded.vector
            nearest = [int(each) for each in np.argsort(-cosines)[:NEAREST]]
            near |= {each: float(cosines[each]) for each in nearest if cosines[each] > FAR}
        return near

    def find_by_words(self, draft: Draft, embedded: Embedded | None) -> list[int]:
        """As the gate finds what has no vector, or all where the embedder is away."""
        held = [self.postings.get(term, []) for term in set(terms(draft.content))]
        shared = Counter(place for places in held if len(places) <= COMMON for place in places)
        return [place for place, _count in shared.most_common(NEAREST) if embedded is None or place in self.bare]

    def add(self, line: int, draft: Draft, embedded: Embedded | None) -> None:
        place = len(self.drafts)
        self.drafts.append((line, draft))
        for term in set(terms(draft.content)):
            self.postings.setdefault(term, []).append(place)
        if embedded is None:
            self.bare.add(place)
        elif self.vectors is None:
            self.vectors = np.zeros((64, len(embedded.vector)), dtype=np.float32)
        while self.vectors is not None and place >= len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
        if self.vectors is not None and embedded is not None:
            self.vectors[place] = embedded.vector


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
        if said is None:
            return None
        near, new = said.find_near(draft, embedded), as_statement(draft)
        calibration = None if embedded is None else embedded.calibration
        verdicts = [judge(new, as_statement(said.drafts[each][1]), near[each], calibration) for each in near]
        best = pick_best(verdicts)
        return None if best is None else (said.drafts[list(near)[best]][0], verdicts[best])

    def add(self, place: Place, line: int, draft: Draft, embedded: Embedded | None) -> None:
        """Forgets nothing; what exceeds MOST is not remembered."""
        said = self.said.setdefault(place, Said())
        if len(said.drafts) >= MOST:
            return
        self.texts[place, normalise(draft.content)] = line
        said.add(line, draft, embedded)


def as_statement(draft: Draft) -> Statement:
    return Statement(draft.content, draft.category, draft.valid_from, draft.valid_to)
