"""Questions whose answers are known to stand in certain texts, in the forms in which such sets are published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge.adding import make_id

# A few strings of LoCoMo name two turns.
TURN = re.compile(r"D(\d+):(\d+)")
# Questions of LoCoMo whose answer stands nowhere.
UNANSWERABLE = 5


@dataclass(frozen=True)
class Evidence:
    """What answers a question: a chunk of this document that holds these words; any of its chunks without words."""

    document: str
    words: str = ""


@dataclass(frozen=True)
class Question:
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class QuestionSet:
    """`documents`: texts by name, which are searched together; `questions` by the name of the set that they make."""

    name: str
    documents: Mapping[str, str]
    questions: Mapping[str, list[Question]]


def read_sets(folder: Path) -> list[QuestionSet]:
    """All that is known below the folder: *.json in the form of SQuAD (CMRC 2018) or of LoCoMo, and folders of
    ret_*.txt with lines `passage|question`, beside which distract.txt may hold more passages.

    Raises ValueError for a file that is broken.
    """
    sets = [found for path in sorted(folder.rglob("*.json")) if (found := read_json_set(path)) is not None]
    lined = sorted({path.parent for path in folder.rglob("ret_*.txt")})
    return [*sets, *map(read_lines, lined)]


def read_json_set(path: Path) -> QuestionSet | None:
    """None for a JSON file of another form."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    try:
        if isinstance(content, dict) and "data" in content:
            return read_squad(path.stem, content["data"])
        if isinstance(content, list) and content and "conversation" in content[0] and "qa" in content[0]:
            return read_locomo(path.stem, content)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{path} is not in the form that it looks like: {error!r}.") from error
    return None


def read_squad(name: str, articles: Iterable[Mapping[str, Any]]) -> QuestionSet:
    """Each paragraph is a document; the first answer's words are the evidence."""
    documents, questions = {}, []
    for article in articles:
        for number, paragraph in enumerate(article["paragraphs"], 1):
            key = make_id(f"{article.get('title') or article.get('id') or ''} {paragraph.get('id') or number}.txt")
            documents[key] = paragraph["context"]
            for asked in paragraph["qas"]:
                words = asked["answers"][0]["text"] if asked["answers"] else ""
                questions.append(Question(asked["question"], (Evidence(key, words),)))
    return QuestionSet(name, documents, {name: questions})


def read_locomo(name: str, samples: Iterable[Mapping[str, Any]]) -> QuestionSet:
    """Each session of a conversation is a document; the turns that are named are the evidence."""
    documents: dict[str, str] = {}
    questions: list[Question] = []
    for sample in samples:
        said = dict(list_turns(sample))
        documents |= write_sessions(sample)
        for asked in sample["qa"]:
            turns = [turn for line in asked.get("evidence", ()) for turn in TURN.findall(line)]
            evidence = tuple(said[turn] for turn in dict.fromkeys(turns) if turn in said)
            if evidence and asked.get("category") != UNANSWERABLE:
                questions.append(Question(asked["question"], evidence))
    return QuestionSet(name, documents, {name: questions})


def list_turns(sample: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Evidence]]:
    for key, turns in sample["conversation"].items():
        if isinstance(turns, list):
            for turn in turns:
                session, number = TURN.findall(turn["dia_id"])[0]
                yield (session, number), Evidence(name_session(sample, key), turn["text"])


def write_sessions(sample: Mapping[str, Any]) -> dict[str, str]:
    talk = sample["conversation"]
    texts = {}
    for key, turns in talk.items():
        if isinstance(turns, list) and turns:
            lines = [f"{turn['speaker']}: {turn['text']}{describe_picture(turn)}" for turn in turns]
            texts[name_session(sample, key)] = "\n\n".join([talk.get(f"{key}_date_time", ""), *lines])
    return texts


def describe_picture(turn: Mapping[str, Any]) -> str:
    return f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""


def name_session(sample: Mapping[str, Any], key: str) -> str:
    return make_id(f"{sample.get('sample_id', '')} {key}.txt")


def read_lines(folder: Path) -> QuestionSet:
    """Each passage is a document, those of all files together."""
    names: dict[str, str] = {}
    questions: dict[str, list[Question]] = {}
    for path in sorted(folder.glob("ret_*.txt")):
        questions[path.stem] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            passage, _bar, question = (part.strip() for part in line.partition("|"))
            if not passage or not question:
                raise ValueError(f"{path}:{number}: expected `passage|question`.")
            key = names.setdefault(passage, f"{path.stem} {number}.txt")
            questions[path.stem].append(Question(question, (Evidence(key),)))
    distractors = folder / "distract.txt"
    if distractors.exists():
        for number, line in enumerate(filter(None, distractors.read_text(encoding="utf-8").splitlines()), 1):
            names.setdefault(line.strip(), f"distract {number}.txt")
    return QuestionSet(folder.name, {key: passage for passage, key in names.items()}, questions)
