"""What an agent wants done to a section of a profile file, whether at once or when its person approves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.drafts import Origin
from memories.models import ProfileRevision
from memories.profiles.editing import ProfileChange
from memories.profiles.sections import add_to_section, remove_section, replace_in_section

Action = ProfileRevision.Action


@dataclass(frozen=True)
class SectionDraft:
    """`action`: added, replaced or removed. `content` takes the place of `old`, where that is named; `left_out`: kinds
    of secrets that were in it. A PendingWrite keeps these columns as they are."""

    file: str
    section: str
    action: str
    content: str = ""
    old: str = ""
    left_out: Sequence[str] = ()

    @property
    def said(self) -> str:
        """What it would say in the file."""
        return f"{self.section}\n{self.content}"

    def alter(self, text: str) -> str:
        """The file's text with it done. Raises SectionError."""
        match self.action:
            case Action.ADDED:
                return add_to_section(text, self.section, self.content)
            case Action.REPLACED:
                return replace_in_section(text, self.section, self.old, self.content)
        return remove_section(text, self.section)

    def as_change(self, origin: Origin) -> ProfileChange:
        return ProfileChange(
            action=self.action,
            actor=origin.actor,
            user_id=origin.user_id,
            section=self.section,
            conversation_id=origin.conversation_id,
            message_id=origin.message_ids[-1] if origin.message_ids else None,
            answer_id=origin.answer_id,
            reason=origin.reason,
            left_out=self.left_out,
        )
