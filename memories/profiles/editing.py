"""How a profile file changes: one writer at a time, and a revision each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.utils import timezone

from memories.locks import write_lock
from memories.models import Agent, ProfileFile, ProfileKind, ProfileRevision
from memories.redaction import find_secrets, redact_text
from xiajiao.texts import clean, clip

# Characters of a stored file; budgets are far below, what is over them is only not injected.
LONGEST = 50_000


class ProfileTooLongError(ValueError):
    """The file would be longer than LONGEST."""


class StaleProfileError(Exception):
    """It was changed meanwhile. `current` is the file as it stands."""

    def __init__(self, current: ProfileFile) -> None:
        super().__init__("changed meanwhile")
        self.current = current


@dataclass(frozen=True)
class ProfileKey:
    """Which file: `user_id` is None for SOUL alone, `day` given for DAILY alone."""

    agent: Agent
    kind: str
    user_id: int | None = None
    day: date | None = None

    @property
    def columns(self) -> dict[str, Any]:
        return {"agent": self.agent, "kind": self.kind, "user_id": self.user_id, "day": self.day}


@dataclass(frozen=True)
class ProfileChange:
    """Who changes it and how; ids as in MemoryRevision. `left_out`: kinds of secrets that were taken out before."""

    action: str
    actor: str
    user_id: int | None = None
    section: str = ""
    conversation_id: int | None = None
    message_id: int | None = None
    answer_id: int | None = None
    reason: dict[str, Any] = field(default_factory=dict)
    left_out: Sequence[str] = ()

    @property
    def whole_reason(self) -> dict[str, Any]:
        """As the revision keeps it."""
        return self.reason | ({"left_out": list(self.left_out)} if self.left_out else {})


def make_key(agent: Agent, kind: str, user_id: int, day: date | None = None) -> ProfileKey:
    """Of a person's file with an agent; the day counts for DAILY alone, where none is named it is today."""
    if kind == ProfileKind.SOUL:
        return ProfileKey(agent, kind)
    return ProfileKey(agent, kind, user_id, (day or timezone.localdate()) if kind == ProfileKind.DAILY else None)


def make_file_key(file: ProfileFile) -> ProfileKey:
    return ProfileKey(file.agent, file.kind, file.user_id, file.day)


def read_file(key: ProfileKey) -> ProfileFile:
    """As it stands; one that is not there yet is empty and not saved."""
    return ProfileFile.objects.filter(**narrow(key)).first() or ProfileFile(**key.columns)


def narrow(key: ProfileKey) -> dict[str, Any]:
    """For a filter, in which None is asked for otherwise."""
    named = {"agent": key.agent, "kind": key.kind}
    named |= {"user__isnull": True} if key.user_id is None else {"user_id": key.user_id}
    return named | ({"day__isnull": True} if key.day is None else {"day": key.day})


def change_file(
    key: ProfileKey, alter: Callable[[str], str], change: ProfileChange, expected_version: int | None = None
) -> ProfileRevision | None:
    """`alter` makes the new text of the one that stands there; None where that changes nothing.

    Raises StaleProfileError where another version stands there than the one expected, ProfileTooLongError, and what
    `alter` raises.
    """
    with write_lock(key.agent.pk, key.user_id):
        file = read_file(key)
        if expected_version is not None and file.version != expected_version:
            raise StaleProfileError(file)
        before = file.text
        text = clean(alter(before))
        if len(text) > LONGEST:
            raise ProfileTooLongError
        if text == before:
            return None
        return keep(file, text, change)


def leave_secrets_out(text: str, agent: Agent) -> tuple[str, list[str]]:
    """What an agent writes as it may be kept, and the kinds of secrets that were in it."""
    kinds = sorted({secret.kind for secret in find_secrets(text, agent.secret_kinds)})
    return (redact_text(text, agent) if kinds else text), kinds


def keep(file: ProfileFile, text: str, change: ProfileChange) -> ProfileRevision:
    before, now = file.text, timezone.now()
    file.text, file.version, file.updated_at = text, file.version + 1, now
    file.save()
    return ProfileRevision.objects.create(
        file=file,
        version=file.version,
        action=change.action,
        actor=change.actor,
        user_id=change.user_id,
        section=clip(change.section, 200),
        conversation_id=change.conversation_id,
        message_id=change.message_id,
        answer_id=change.answer_id,
        reason=change.whole_reason,
        before=before,
        after=text,
        at=now,
    )


def restore(file: ProfileFile, version: int, change: ProfileChange, expected_version: int | None = None) -> None:
    """The text that the file had as that version; 0: before its first. Raises ProfileRevision.DoesNotExist."""
    text = file.revisions.get(version=version).after if version else ""
    change_file(
        make_file_key(file), lambda _text: text, replace(change, reason={"restored": version}), expected_version
    )


def part_from_conversation(conversation_id: int) -> None:
    """It goes for good: what was written in it stays, and leads nowhere."""
    nowhere = {"conversation_id": None, "message_id": None, "answer_id": None}
    ProfileRevision.objects.filter(conversation_id=conversation_id).update(**nowhere)
