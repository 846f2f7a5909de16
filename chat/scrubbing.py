"""Take the words of one memory out of what is kept of turns: tool calls, prompts, streams."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from memories.sections import inert

MARK = "[forgotten]"
# What stands for the arguments of a call that said it; a provider would refuse what is no object.
ARGUMENTS = json.dumps({"content": MARK})
# The text of a message that a person had removed, as models read it.
REMOVED = "[removed]"


def scrub_text(text: str, memory_id: int, wordings: Iterable[str]) -> str:
    """Without any of the wordings, and without what is said of the memory behind its number (`[M12] …`) in a line."""
    text = strike_text(text, wordings, MARK)
    return re.sub(rf"\[M{memory_id}\](?! {re.escape(MARK)}$)[^\n]*", f"[M{memory_id}] {MARK}", text, flags=re.MULTILINE)


def strike_text(text: str, wordings: Iterable[str], mark: str) -> str:
    """With the mark in the place of each of the wordings."""
    marks = spellings(mark)
    put: dict[str, str] = {}
    for wording in wordings:
        for place, variant in enumerate(spellings(wording)):
            put.setdefault(variant, marks[place])
    for variant in sorted(filter(str.strip, put), key=len, reverse=True):
        text = text.replace(variant, put[variant])
    return text


def spell(wordings: Iterable[str]) -> list[str]:
    """As they stand in prompts, results and JSON, the longest first."""
    found = {variant for wording in wordings for variant in spellings(wording)}
    return sorted(filter(str.strip, found), key=len, reverse=True)


def spellings(text: str) -> list[str]:
    """Of each text the same at the same place of the list: as it is, in one line, and both in JSON."""
    forms = (text, inert(text), text.strip())
    return [written for form in forms for written in (form, write_json(form), write_json(form, is_ascii=False))]


def write_json(text: str, is_ascii: bool = True) -> str:
    return json.dumps(text, ensure_ascii=is_ascii)[1:-1]


def mentions(text: str, memory_id: int, wordings: Iterable[str]) -> bool:
    return scrub_text(text, memory_id, wordings) != text
