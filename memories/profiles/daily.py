"""What a day was about: a line for each conversation, never more than is injected of it."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import timezone

from memories.models import Agent, MemoryRevision, ProfileKind, ProfileRevision
from memories.profiles.editing import ProfileChange, ProfileKey, change_file, leave_secrets_out
from memories.profiles.snapshot import BUDGETS
from xiajiao.texts import clean, clip

LONGEST_LINE = 160
# Stands for the lines of the morning where the day has become too long; the revisions still hold them.
EARLIER = "- …"


def note_day(agent: Agent, user_id: int, line: str, at: datetime, conversation_id: int | None = None) -> None:
    """A line in the text of the day on which it happened, where the person's clock stands."""
    moment = timezone.localtime(at)
    said, kinds = leave_secrets_out(" ".join(clean(line).split()), agent)
    if not said:
        return
    change = ProfileChange(
        ProfileRevision.Action.ADDED,
        MemoryRevision.Actor.EXTRACTION,
        user_id=user_id,
        conversation_id=conversation_id,
        reason={"left_out": kinds} if kinds else {},
    )
    entry = f"- {moment:%H:%M} {clip_line(said)}"
    change_file(key_of(agent, user_id, moment.date()), lambda text: add_line(text, entry), change)


def clip_line(said: str) -> str:
    return clip(" ".join(said.split()), LONGEST_LINE)


def key_of(agent: Agent, user_id: int, day: date) -> ProfileKey:
    return ProfileKey(agent, ProfileKind.DAILY, user_id, day)


def add_line(text: str, line: str, budget: int = BUDGETS[ProfileKind.DAILY]) -> str:
    """The newest stay whole; the oldest make room."""
    lines = [each for each in text.splitlines() if each.strip() and each != EARLIER]
    if line in lines:
        return text
    lines.append(line)
    if fits(lines, budget):
        return "\n".join(lines) + "\n"
    while len(lines) > 1 and not fits([EARLIER, *lines], budget):
        lines.pop(0)
    return "\n".join([EARLIER, *lines]) + "\n"


def fits(lines: list[str], budget: int) -> bool:
    return len("\n".join(lines)) <= budget
