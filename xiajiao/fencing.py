"""Text from elsewhere in a prompt: data, in which none of our own marks means anything."""

from __future__ import annotations

import re

# Formatting characters that turn the order of what is read around.
BIDIRECTIONAL = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OUR_TAGS = re.compile(r"<(?=\s*/?\s*(?:agent|user|recent)-)", re.IGNORECASE)
CITATIONS = re.compile(r"\[(?=M?\d+\])", re.IGNORECASE)
HEADINGS = re.compile(r"#(?=#*\s)")
FENCES = re.compile(r"`{3,}|~{3,}")


def make_inert(text: str) -> str:
    """The same text, with tags, headings, citations and code fences of ours escaped."""
    text = OUR_TAGS.sub("&lt;", BIDIRECTIONAL.sub("", text))
    text = CITATIONS.sub(r"\\[", text)
    text = FENCES.sub(lambda fence: "".join(f"\\{mark}" for mark in fence[0]), text)
    return HEADINGS.sub(r"\\#", text)
