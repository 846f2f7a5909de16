"""What is found about an entry, and its line of the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memories.models import ImportLine, Memory


@dataclass(frozen=True)
class Finding:
    """`outcome` is an ImportLine.Outcome; `reason` and `details` are worded by the page."""

    outcome: str
    reason: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    memory: Memory | None = None


def settle_line(line: ImportLine, finding: Finding) -> None:
    """What became of it; a memory that is named already stays named where the finding names none."""
    line.outcome, line.reason, line.details = finding.outcome, finding.reason, finding.details
    line.memory = finding.memory or line.memory
    line.save(update_fields=["outcome", "reason", "details", "memory"])
