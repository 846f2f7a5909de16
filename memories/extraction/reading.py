"""A model's reply to an extraction, as it was meant: fences, prose, odd keys and broken JSON are read through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import json_repair

from memories.extraction.candidates import Candidate, Reading, ReplyError
from memories.extraction.items import read_item
from memories.judgement import normalise
from xiajiao.texts import clean, clean_json

# Facts of one run at the most.
MOST = 10
LONGEST_REPLY = 60_000
LISTS = ("memories", "facts", "items", "results", "data", "memory", "记忆", "事实")
SUMMARIES = ("summary", "摘要")
THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
BULLET = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)、])\s+(?P<words>\S.*)")
NOTHING = re.compile(
    r"\W*(?:none|nothing|empty|n/?a|no (?:new )?(?:facts|memories)\b.{0,40}"
    r"|(?:没有|无)(?:.{0,14}(?:记住|记忆|事实|内容|信息))?)\W*",
    re.IGNORECASE,
)
START = re.compile(r"[\[{]")
# What is worth repairing: an object with a key, a list of objects or texts. Brackets in prose are neither.
MEANT = re.compile(r"""\[\s*[{"'\]]|\{\s*(?:["']|\w+\s*:)""")
DECODER = json.JSONDecoder(strict=False)


def read_reply(reply: str, prompt: str = "") -> Reading:
    """At most MOST candidates, the most important first among more; what repeats the prompt's examples is left out.

    Raises ReplyError where there is neither a list nor lines.
    """
    text = THOUGHTS.sub("", clean(reply[:LONGEST_REPLY])).strip()
    if not text:
        raise ReplyError("silent")
    values, is_repaired = find_values(text)
    lists = [listed for value in values if (listed := list_items(value)) is not None]
    if lists:
        items: list[Any] = [item for each in lists for item in each]
        is_cut = is_repaired and not text.rstrip("`\n ").endswith(("]", "}"))
    else:
        items, is_cut = read_lines(text), False
    candidates = [found for item in items if (found := read_item(item)) is not None]
    if is_cut and candidates and f'{candidates[-1].content}"' not in text:
        candidates.pop()
    return Reading(choose(leave_out_echoes(candidates, prompt)), is_cut, find_summary(values))


def find_values(text: str) -> tuple[list[Any], bool]:
    """All JSON values in the text, and whether the last one had to be repaired."""
    found: list[Any] = []
    at = 0
    while match := START.search(text, at):
        try:
            value, at = DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            repaired = repair(text[match.start() :]) if MEANT.match(text, match.start()) else None
            if list_items(repaired) is not None:
                return [*found, repaired], True
            at = match.end()
            continue
        found.append(clean_json(value))
    return found, False


def find_summary(values: Iterable[Any]) -> str:
    said = (value[name] for value in values if isinstance(value, dict) for name in SUMMARIES if name in value)
    return next((" ".join(each.split()) for each in said if isinstance(each, str)), "")


def repair(text: str) -> Any:
    """None where nothing can be made of it."""
    try:
        return clean_json(json_repair.loads(text.rstrip().removesuffix("```")))
    except (ValueError, RecursionError):
        return None


def list_items(value: Any) -> list[Any] | None:
    """None for a value that is no answer: `[1]` in prose, a schema."""
    match value:
        case dict():
            return list_of_object(value)
        case []:
            return []
        case list() if any(isinstance(each, dict | str) for each in value):
            return value
    return None


def list_of_object(value: dict[str, Any]) -> list[Any] | None:
    for name in LISTS:
        if name in value:
            held = value[name]
            if isinstance(held, list):
                return held
            return [held] if isinstance(held, dict) else ([value] if isinstance(held, str) else [])
    return [value] if read_item(value) is not None else ([] if not value else None)


def read_lines(text: str) -> list[str]:
    """Of a reply without any JSON: its bullets. Raises ReplyError where it has none and doesn't say that there is
    nothing."""
    bullets = [match["words"] for line in text.splitlines() if (match := BULLET.fullmatch(line))]
    if bullets:
        return bullets
    if NOTHING.fullmatch(text):
        return []
    raise ReplyError("no_list")


def leave_out_echoes(candidates: Iterable[Candidate], prompt: str) -> Iterator[Candidate]:
    """Without those that stand in the prompt word for word, and each once."""
    seen: set[str] = set()
    for candidate in candidates:
        key = normalise(candidate.content)
        if key and key not in seen and candidate.content not in prompt:
            seen.add(key)
            yield candidate


def choose(candidates: Iterable[Candidate]) -> list[Candidate]:
    every = list(candidates)
    chosen = sorted(every, key=lambda each: -each.importance)[:MOST]
    return [each for each in every if each in chosen]
