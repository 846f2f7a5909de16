"""A change of a profile file that waits: what it would do to the text, and to which file."""

from __future__ import annotations

from dataclasses import replace

from memories.models import PendingWrite
from memories.profiles.drafts import SectionDraft
from memories.profiles.editing import ProfileKey, leave_secrets_out, make_key


def key_of(pending: PendingWrite) -> ProfileKey:
    return make_key(pending.agent, pending.draft["file"], pending.user_id)


def read_draft(pending: PendingWrite, text: str | None = None) -> SectionDraft:
    """With `text` instead of the proposed one, without secrets."""
    draft = SectionDraft(**pending.draft)
    if text is None:
        return draft
    content, kinds = leave_secrets_out(text, pending.agent)
    return replace(draft, content=content, left_out=sorted({*draft.left_out, *kinds}))
