"""A change of a profile file that waits: what it would do to the text, and to which file."""

from __future__ import annotations

from collections.abc import Callable

from memories.models import PendingWrite, ProfileRevision
from memories.profiles.editing import ProfileChange, ProfileKey, leave_secrets_out, make_key
from memories.profiles.sections import add_to_section, remove_section, replace_in_section

Action = ProfileRevision.Action


def key_of(pending: PendingWrite) -> ProfileKey:
    return make_key(pending.agent, pending.draft["file"], pending.user_id)


def read_said(pending: PendingWrite) -> str:
    """What it would say in the file."""
    return f"{pending.draft['section']}\n{pending.text}"


def make_alter(pending: PendingWrite, text: str | None = None) -> Callable[[str], str]:
    """`text` instead of the proposed one, without secrets. What it makes raises SectionError."""
    draft = pending.draft
    section = draft["section"]
    content = draft["content"] if text is None else leave_secrets_out(text, pending.agent)[0]

    def alter(stands: str) -> str:
        match draft["action"]:
            case Action.ADDED:
                return add_to_section(stands, section, content)
            case Action.REPLACED:
                return replace_in_section(stands, section, draft["old"], content)
        return remove_section(stands, section)

    return alter


def change_of(pending: PendingWrite) -> ProfileChange:
    left_out = pending.draft.get("left_out", [])
    return ProfileChange(
        action=pending.draft["action"],
        actor=pending.actor,
        user_id=pending.user_id,
        section=pending.draft["section"],
        conversation_id=pending.conversation_id,
        message_id=pending.message_id,
        answer_id=pending.answer_id,
        reason={"approved_by": pending.user_id} | ({"left_out": left_out} if left_out else {}),
    )
