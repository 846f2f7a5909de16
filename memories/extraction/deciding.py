"""What a model is asked about pairs that the gate is in doubt of, and its reply as it was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.template.loader import render_to_string

from memories.extraction.reading import LONGEST_REPLY, THOUGHTS, find_values
from memories.judgement import Answer
from memories.languages import as_agent_language
from xiajiao.texts import clean

WORDS: dict[str, Answer] = {
    **dict.fromkeys(("same", "duplicate", "identical", "相同", "同一", "一样", "重复"), "same"),
    **dict.fromkeys(("replace", "supersede", "change", "取代", "替代", "替换", "更新"), "replaces"),
    **dict.fromkeys(("both", "neither", "different", "unsure", "都", "并存", "同时", "不同"), "both"),
}
NUMBERS = ("pair", "number", "id", "index", "编号", "序号")
ANSWERS = ("answer", "verdict", "decision", "判断", "答案")
LINE = re.compile(r"\W*(?:pair\s*)?(?P<number>\d{1,2})\W+(?P<answer>\w+)\W*", re.IGNORECASE)


@dataclass(frozen=True)
class DoubtfulPair:
    """Each text with the day on which it was said."""

    old: str
    old_day: date
    new: str
    new_day: date


def render_deciding_prompt(pairs: Sequence[DoubtfulPair], language: str) -> str:
    """In the agent's language; each text on a line of its own, between marks that it can't close."""
    lines = [
        {"old": flatten(pair.old), "old_day": pair.old_day, "new": flatten(pair.new), "new_day": pair.new_day}
        for pair in pairs
    ]
    return render_to_string(f"prompts/memories/deciding.{as_agent_language(language)}.txt", {"pairs": lines}).strip()


def flatten(text: str) -> str:
    return " ".join(text.replace("</pairs", "<\\/pairs").split())


def make_deciding_format() -> dict[str, Any]:
    """As OpenAI's chat completions want a schema."""
    fields = {"pair": {"type": "integer"}, "answer": {"type": "string", "enum": ["same", "replaces", "both"]}}
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": item}},
        "required": ["answers"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "answers", "strict": True, "schema": schema}}


def read_answers(reply: str, count: int) -> dict[int, Answer]:
    """By the pair's number from 1 to `count`. What says nothing plain, or two things of one pair, is left out."""
    text = THOUGHTS.sub("", clean(reply[:LONGEST_REPLY])).strip()
    values, _is_repaired = find_values(text)
    said = [each for value in values for each in read_value(value)] or list(read_lines(text))
    found: dict[int, set[Answer]] = {}
    for number, answer in said:
        if 1 <= number <= count:
            found.setdefault(number, set()).add(answer)
    return {number: answers.pop() for number, answers in found.items() if len(answers) == 1}


def read_value(value: Any) -> Iterator[tuple[int, Answer]]:
    """Of `{"answers": [{"pair": 1, "answer": "same"}]}`, of the list alone, of `{"1": "same"}`."""
    match value:
        case list():
            for each in value:
                yield from read_value(each)
        case dict() if (number := pick(value, NUMBERS)) is not None:
            yield from read_pair(number, pick(value, ANSWERS))
        case dict():
            for name, each in value.items():
                yield from read_value(each) if isinstance(each, list | dict) else read_pair(name, each)


def pick(value: dict[str, Any], names: Sequence[str]) -> Any:
    return next((value[name] for name in names if name in value), None)


def read_pair(number: Any, answer: Any) -> Iterator[tuple[int, Answer]]:
    figure = re.search(r"\d{1,3}", str(number))
    word = read_word(answer)
    if figure and word:
        yield int(figure[0]), word


def read_word(answer: Any) -> Answer | None:
    """None for a word that is none of the three."""
    text = answer.strip().lower() if isinstance(answer, str) else ""
    return next((meant for word, meant in WORDS.items() if text.startswith(word)), None)


def read_lines(text: str) -> Iterator[tuple[int, Answer]]:
    """Of a reply without JSON: "1. same"."""
    for line in text.splitlines():
        match = LINE.fullmatch(line)
        if match:
            yield from read_pair(match["number"], match["answer"])
