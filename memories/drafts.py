"""What goes into the write gate and what comes out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memories.judgement import normalise
from memories.models import Memory
from memories.models.types import Category
from xiajiao.texts import clean, clean_json, clip

CONTENT_LENGTH = 10_000
TAG_LENGTH, TAGS = 50, 30


class DraftError(ValueError):
    """A memory can't be kept as it was given; the message says what would be right."""


@dataclass(frozen=True)
class Draft:
    """A memory that is not one yet."""

    content: str
    category: str = Category.SEMANTIC
    type_key: str = "user"
    title: str = ""
    description: str = ""
    tags: Sequence[str] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    importance: int = Memory.Importance.MEDIUM
    pinned: bool = False
    quote: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    # When it was said, where that was not just now: what is imported keeps its date, and unsays nothing newer.
    said_at: datetime | None = None
    # What was found in it and left out, or kept because a person insists: goes into the reason of the revision.
    about_secrets: dict[str, Any] = field(default_factory=dict)

    def cleaned(self) -> Draft:
        """Fit to be stored. Raises DraftError where the content is empty or too long or the category unknown."""
        if self.category not in Category.values:
            raise DraftError(f"category must be one of {', '.join(Category.values)}.")
        return replace(
            self,
            content=clean_content(self.content),
            title=clip(clean(self.title).strip(), 200),
            description=clip(clean(self.description).strip(), 500),
            tags=clean_tags(self.tags),
            metadata=clean_metadata(self.metadata),
            quote=clip(clean(self.quote), CONTENT_LENGTH),
        )


@dataclass(frozen=True)
class Origin:
    """Who writes, and from where: goes into the memory's provenance and into each revision.

    `actor` is a MemoryRevision.Actor, `source` a Memory.Source; `user_id` the person who acts, where one does.
    `message_ids` are what was heard, `answer_id` the agent's message in whose turn it was written.
    `keeps_secrets`: a person insists on an API key or the like that would be left out. `approved_by`: the person who
    was asked first, and agreed.
    """

    actor: str
    source: str
    user_id: int | None = None
    conversation_id: int | None = None
    message_ids: Sequence[int] = ()
    answer_id: int | None = None
    extractor_model: str = ""
    prompt_version: str = ""
    job_id: int | None = None
    keeps_secrets: bool = False
    approved_by: int | None = None

    @property
    def columns(self) -> dict[str, Any]:
        """What of it a memory keeps, and what is to become one."""
        return {
            "conversation_id": self.conversation_id,
            "message_ids": list(self.message_ids),
            "extractor_model": self.extractor_model,
            "prompt_version": self.prompt_version,
            "job_id": self.job_id,
        }

    @property
    def reason(self) -> dict[str, Any]:
        """What of it goes into the reason of each revision."""
        return {} if self.approved_by is None else {"approved_by": self.approved_by}


@dataclass(frozen=True)
class Decision:
    """What the gate did: `memory` holds the fact now, `previous` is the one that it superseded.

    `action` is a MemoryRevision.Action: added, ignored, reinforced or superseded. `left_out`: the kinds of secrets
    (SecretKind) that were in the draft and are not in the memory.
    """

    action: str
    memory: Memory
    previous: Memory | None = None
    reason: dict[str, Any] = field(default_factory=dict)

    @property
    def left_out(self) -> list[str]:
        return list(self.reason.get("left_out", []))


def clean_content(text: str) -> str:
    """Raises DraftError where nothing is left, or more than a memory holds."""
    content = clean(text).strip()
    if not normalise(content):
        raise DraftError("content must not be empty.")
    if len(content) > CONTENT_LENGTH:
        raise DraftError(f"content may have {CONTENT_LENGTH:,} characters; keep one fact in one to three sentences.")
    return content


def clean_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Raises DraftError where it is nested too deep to be kept."""
    try:
        return dict(clean_json(dict(metadata)))
    except ValueError as error:
        raise DraftError(f"metadata can't be kept. {error}") from None


def clean_tags(tags: Sequence[str]) -> list[str]:
    """Without blanks and repetitions, in the given order."""
    words = (clip(clean(str(tag)).strip(), TAG_LENGTH) for tag in tags)
    return list(dict.fromkeys(word for word in words if word))[:TAGS]


def hash_content(content: str) -> str:
    """The same for texts that the judge calls the same."""
    return hashlib.sha256(normalise(content).encode()).hexdigest()
