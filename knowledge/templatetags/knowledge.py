"""What the templates of knowledge bases ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from knowledge.forms.documents import list_encodings
from knowledge.models import Document, SemanticIndex
from knowledge.models.chunks import HEADING_JOINT
from knowledge.parsing.words import Text, Words
from knowledge.wording import explain_obstacle, explain_reason, explain_warnings, name_encoding, say_stage

register = template.Library()

TAGS: Mapping[str, str] = {"ready": "good", "failed": "bad", "empty": "warning", "parsing": "accent"}


@register.filter
def stage_words(document: Document) -> str:
    return say_stage(document)


@register.filter
def reason_words(document: Document) -> Words | None:
    return explain_reason(document)


@register.filter
def warning_words(document: Document) -> Iterable[Text]:
    return list(explain_warnings(document))


@register.filter
def obstacle_words(code: str) -> Text:
    return explain_obstacle(code)


@register.filter
def state_tag(state: str) -> str:
    """The end of its CSS class: `tag-good`."""
    return TAGS.get(state, "plain")


@register.filter
def encoding_name(encoding: str) -> str:
    return name_encoding(encoding)


@register.filter
def heading_words(path: Iterable[str]) -> str:
    return HEADING_JOINT.join(path)


@register.filter
def semantic_index(document: Document) -> SemanticIndex | None:
    """None before the first indexing."""
    return getattr(document, "semantic_index", None)


@register.filter
def can_choose_encoding(document: Document) -> bool:
    """Whether another encoding may read it better."""
    return bool(document.encoding_is_guess or document.wanted_encoding or document.reason == "encoding_uncertain")


@register.simple_tag
def encodings() -> list[tuple[str, Any]]:
    return list_encodings()


@register.filter
def percent(share: float) -> str:
    return f"{share:.0%}"
