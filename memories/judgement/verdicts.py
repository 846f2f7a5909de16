"""What goes into a judgement and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Action = Literal["ignore", "reinforce", "supersede", "add"]
# What a chat model may say of a pair: one fact, or the new one takes the old one's place, or both hold.
Answer = Literal["same", "replaces", "both"]


@dataclass(frozen=True)
class Statement:
    """One memory as the judge sees it: its text, its category and, where known, when it holds."""

    text: str
    category: str = "semantic"
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True)
class Verdict:
    """What to do with a new memory in the face of one old memory.

    ignore: the same text. reinforce: the same fact in other words. supersede: the same subject and attribute with
    another value, so the old one ends. add: both stand.
    `confidence` (0..1) compares verdicts of the same action; `reason` is JSON for the revision and the panel:
    `rule` (a short key), and whatever figures and words led there.
    """

    action: Action
    confidence: float = 0.0
    reason: dict[str, Any] = field(default_factory=dict)
