"""Recalled memories as a section of the system prompt: data, and not instructions."""

from __future__ import annotations

import re

from django.template.loader import render_to_string

from memories.budget import shorten
from memories.models.types import Category
from memories.recalled import Recall

CHINESE, ENGLISH = "zh-hans", "en"
# Formatting characters that turn the order of what is read around.
BIDIRECTIONAL = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OUR_TAGS = re.compile(r"<(?=\s*/?\s*(?:agent|user|recent)-)", re.IGNORECASE)
CITATIONS = re.compile(r"\[(?=M?\d+\])", re.IGNORECASE)
HEADINGS = re.compile(r"#(?=#*\s)")
FENCES = re.compile(r"`{3,}|~{3,}")


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
    """One line in which our own marks (tags, headings, citations, code fences) mean nothing."""
    line = " ".join(BIDIRECTIONAL.sub("", shorten(text)).split())
    line = OUR_TAGS.sub("&lt;", line)
    line = CITATIONS.sub(r"\\[", line)
    line = FENCES.sub(lambda fence: "".join(f"\\{mark}" for mark in fence[0]), line)
    return HEADINGS.sub(r"\\#", line)
