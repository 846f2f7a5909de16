"""What became of each candidate of an extraction: kept with what was written of it, for the page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from chat.models import ExtractionJob
from memories.approval.asking import ASKED, DECIDED, Asked
from memories.drafts import Decision
from xiajiao.claims import record

# What the write gate says of a memory that holds the candidate now, and what passed it over; ASKED and DECIDED of what
# the person is asked about first.
KEPT = ("added", "superseded", "reinforced", "ignored")
UNSAID, NOTED, GONE, FORGOTTEN, REFUSED = "unsaid", "noted", "gone", "forgotten", "refused"


@dataclass(frozen=True)
class Outcome:
    """One candidate. `code` is one of the above; empty: the job has not come to it yet. `memory_id`: where it went.

    `left_out`: kinds of secrets that were taken out of it.
    """

    content: str
    code: str = ""
    memory_id: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        return self.code in {"added", "superseded"}


def note_decision(job: ExtractionJob, decision: Decision) -> None:
    """In the transaction that writes the memory. Raises LostClaimError."""
    kept = {"memory": decision.memory.pk, "left_out": decision.left_out}
    note(job, decision.action, **kept)


def note_asked(job: ExtractionJob, asked: Asked) -> None:
    """In the transaction that keeps what waits for the person's approval. Raises LostClaimError."""
    if asked.known is not None:
        return note(job, "ignored", memory=asked.known.pk)
    return note(job, DECIDED if asked.outcome == DECIDED else ASKED)


def note(job: ExtractionJob, code: str, **more: Any) -> None:
    """Of the next candidate, whose turn is over with this. Raises LostClaimError."""
    outcomes = [*job.outcomes, {"outcome": code} | more]
    record(job, written=job.written + 1, outcomes=outcomes, attempts=0)


def list_outcomes(job: ExtractionJob) -> list[Outcome]:
    candidates = job.candidates or []
    noted = [*job.outcomes, *[{}] * len(candidates)]
    return [read_outcome(candidate, each) for candidate, each in zip(candidates, noted, strict=False)]


def read_outcome(candidate: dict[str, Any], noted: dict[str, Any]) -> Outcome:
    left_out = tuple(noted.get("left_out", ()))
    return Outcome(str(candidate.get("content", "")), noted.get("outcome", ""), noted.get("memory"), left_out)


def list_memory_ids(jobs: Iterable[ExtractionJob]) -> list[int]:
    """Of all memories that hold something of these jobs."""
    return [each["memory"] for job in jobs for each in job.outcomes if each.get("memory")]
