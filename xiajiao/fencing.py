"""Text from elsewhere in a prompt: data, in which none of our own marks means anything."""

from __future__ import annotations

import re

# What turns the order of what is read around, and letters that a model reads and nobody sees.
UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
# Joiners between letters belong to some scripts, and to nothing in a mark of ours.
BLANK = r"[\s\u200c\u200d]*"
OUR_TAGS = re.compile(rf"<(?={BLANK}/?{BLANK}(?:(?:agent|user|recent)-|conversation))", re.IGNORECASE)
# By which chat templates tell who speaks: a local server may take them for its own.
TEMPLATE_MARKS = re.compile(r"<(?=[|｜]|<SYS>>|</SYS>>|/?s>|(?:start|end)_of_turn>)|\[(?=/?INST\])", re.IGNORECASE)
NUMBER = rf"{BLANK}M?\d+{BLANK}"
CITATIONS = re.compile(rf"\[(?={NUMBER}(?:[,，、;；]{NUMBER})*\])", re.IGNORECASE)
HEADINGS = re.compile(r"#(?=#*\s)")
FENCES = re.compile(r"`{3,}|~{3,}")


def keep_between_tags(text: str) -> str:
    """Markdown that stays what it is between tags of ours: it can't close them, be cited or speak for somebody else."""
    return CITATIONS.sub(r"\\[", escape_tags(text))


def escape_tags(text: str) -> str:
    """Without letters that nobody sees; tags of ours and marks of chat templates mean nothing in it."""
    text = OUR_TAGS.sub("&lt;", UNSEEN.sub("", text))
    return TEMPLATE_MARKS.sub(lambda mark: "&lt;" if mark[0] == "<" else r"\[", text)


def make_inert(text: str) -> str:
    """The same text, with tags, headings, citations, code fences and marks of chat templates escaped."""
    text = keep_between_tags(text)
    text = FENCES.sub(lambda fence: "".join(f"\\{mark}" for mark in fence[0]), text)
    return HEADINGS.sub(r"\\#", text)
