"""What a day was about: a line for each conversation. All of them are kept; the newest are told."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from memories.models import Agent, MemoryRevision, ProfileKind, ProfileRevision
from memories.profiles.editing import LONGEST, ProfileChange, change_file, leave_secrets_out, make_key
from memories.profiles.sections import end_of
from xiajiao.texts import clean, clip

LONGEST_LINE = 160


def note_day(agent: Agent, user_id: int, line: str, at: datetime, source: tuple[int, int] | None = None) -> None:
    """A line in the text of the day on which it happened, where the current time zone is the person's.

    `source`: the conversation that it is about, and the last message of the person in it.
    """
    moment = timezone.localtime(at)
    said, kinds = leave_secrets_out(" ".join(clean(line).split()), agent)
    if not said:
        return
    conversation_id, message_id = source or (None, None)
    change = ProfileChange(
        ProfileRevision.Action.ADDED,
        MemoryRevision.Actor.EXTRACTION,
        user_id=user_id,
        conversation_id=conversation_id,
        message_id=message_id,
        left_out=kinds,
    )
    entry = f"- {moment:%H:%M} {clip_line(said)}"
    change_file(make_key(agent, ProfileKind.DAILY, user_id, moment.date()), lambda text: add_line(text, entry), change)


def clip_line(said: str) -> str:
    return clip(" ".join(said.split()), LONGEST_LINE)


def add_line(text: str, line: str) -> str:
    """At the end, once. A day that could not be kept any longer loses its oldest lines; the revisions hold them."""
    if line in text.splitlines():
        return text
    end = end_of(text)
    whole = f"{text.rstrip()}{end}{line}{end}" if text.strip() else f"{line}\n"
    while len(whole) > LONGEST:
        whole = whole.partition("\n")[2]
    return whole
