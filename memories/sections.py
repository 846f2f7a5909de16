"""Recalled memories as a section of the system prompt: data, and not instructions."""

from __future__ import annotations

from django.template.loader import render_to_string

from memories.budget import shorten
from memories.models.types import Category
from memories.recalled import Recall
from xiajiao.fencing import UNSEEN, make_inert

CHINESE, ENGLISH = "zh-hans", "en"


def render_memory_section(recall: Recall, language: str) -> str:
    """The section `## [MEMORY]` in the agent's language, without what the budget cut; empty where nothing is left.

    Each line names its memory, so that an answer can cite it: `- [M12] text`.
    """
    groups = [
        {"category": category, "lines": [(item.memory.pk, inert(item.memory.content)) for item in items]}
        for category in Category.values
        if (items := [item for item in recall.used if item.memory.category == category])
    ]
    if not groups:
        return ""
    name = CHINESE if language.lower().startswith("zh") else ENGLISH
    return render_to_string(f"prompts/memories/section.{name}.txt", {"groups": groups}).strip()


def inert(text: str) -> str:
    """One line in which our own marks mean nothing."""
    return make_inert(" ".join(UNSEEN.sub("", shorten(text)).split()))
