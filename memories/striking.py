"""Put a mark in the place of a text, however it is spelled: as it is, in one line, and both in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from memories.sections import inert


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
