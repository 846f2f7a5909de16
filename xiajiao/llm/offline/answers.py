"""Compose the offline answer: what was just kept, then the memories and passages that fit, word for word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from django.template.loader import render_to_string

from xiajiao.fulltext import terms
from xiajiao.fulltext.stopwords import STOP_WORDS
from xiajiao.llm.offline.prompt import Passage, Prompt, RecalledItem, ToolResult
from xiajiao.llm.offline.wishes import find_forgotten, is_greeting, is_question, is_thanks, wants_list

MOST_MEMORIES = 5
MOST_PASSAGES = 3
LONGEST_QUOTE = 240
# A share of the question's words that is as good as an answer; what has none of them is then left out.
STRONG = 0.5

WRITTEN = re.compile(
    r"(?P<how>Remembered|Known already[^:]*): (?P<memory>.+?)(?:\nIt replaces (?P<previous>.+))?", re.DOTALL
)
DESCRIBED = re.compile(r"^\[M(?P<id>\d+)\] (?P<text>.+?)(?: \((?:semantic|episodic|procedural), .*\))?$", re.MULTILINE)
WAITING = re.compile(r"Waits for the user's approval (?:already )?to remember: (?P<text>[^\n]+)")
ALL_PAGES = re.compile(r"^Page \d+ of \d+, (?P<total>\d+) memories", re.MULTILINE)
SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s)|$)")


Found = TypeVar("Found", RecalledItem, Passage)


@dataclass(frozen=True)
class Kept:
    """What became of one statement; `failure` is the tool's own sentence. `waits`: the person is asked first."""

    id: str = ""
    text: str = ""
    was_known: bool = False
    replaced: str = ""
    failure: str = ""
    waits: bool = False


@dataclass(frozen=True)
class Quote:
    text: str
    source: str


def compose(prompt: Prompt, keeps: bool = True) -> str:
    """The whole answer, in the language of the question. `keeps`: whether something could be remembered here."""
    kept = [read_kept(result.text) for result in prompt.results if result.name == "memory_write"]
    found = [result.text for result in prompt.results if result.name == "memory_search"]
    asks = not kept or is_question(prompt.question)
    context = {
        "kept": kept,
        "keeps": keeps,
        "found": [match.groupdict() for text in found for match in DESCRIBED.finditer(text)],
        "total": next((match["total"] for text in found if (match := ALL_PAGES.search(text))), ""),
        "is_list": wants_list(prompt.question) and bool(found),
        "is_forgetting": bool(find_forgotten(prompt.question)),
        "is_proposed": any(is_proposed(result) for result in prompt.results),
        "is_greeting": is_greeting(prompt.question),
        "is_thanks": is_thanks(prompt.question),
        "asks": asks,
        "memories": choose_memories(prompt) if asks else [],
        "passages": choose_passages(prompt) if asks else [],
    }
    answer = render_to_string(f"prompts/xiajiao/offline.{prompt.language}.txt", context)
    return re.sub(r"\n{3,}", "\n\n", answer).strip()


def read_kept(result: str) -> Kept:
    if waiting := WAITING.match(result):
        return Kept(text=waiting["text"], waits=True)
    written = WRITTEN.fullmatch(result.strip())
    memory = DESCRIBED.match(written["memory"]) if written else None
    if written is None or memory is None:
        return Kept(failure=result.strip())
    previous = DESCRIBED.match(written["previous"] or "")
    replaced = previous["text"] if previous else ""
    return Kept(memory["id"], memory["text"], written["how"].startswith("Known"), replaced)


def is_proposed(result: ToolResult) -> bool:
    """Whether the person is asked to confirm; else nothing was found."""
    return result.name == "memory_forget" and bool(DESCRIBED.search(result.text))


def choose_memories(prompt: Prompt) -> list[RecalledItem]:
    """Those nearest to the question's words first; how the person wants things done is quoted only where it fits.

    Recall has chosen by meaning already, so others follow in its order, unless words alone tell the answer.
    """
    asked = content_terms(prompt.question)
    scored = [(overlap(asked, item.text), item) for item in prompt.memories]
    scored = [(score, item) for score, item in scored if score or not item.is_procedural]
    return nearest(scored)[:MOST_MEMORIES]


def choose_passages(prompt: Prompt) -> list[Quote]:
    asked = content_terms(prompt.question)
    ranked = nearest([(overlap(asked, passage.text), passage) for passage in prompt.passages])
    return [quote(passage, asked) for passage in ranked[:MOST_PASSAGES]]


def nearest(scored: list[tuple[float, Found]]) -> list[Found]:
    """Best first; the search that found them decides between equals."""
    ranked = sorted(scored, key=lambda pair: -pair[0])
    is_told = bool(ranked) and ranked[0][0] >= STRONG
    return [item for score, item in ranked if score or not is_told]


def quote(passage: Passage, asked: set[str]) -> Quote:
    """The sentence that has most of the question's words, with what follows it, word for word."""
    sentences = SENTENCE.findall(passage.text) or [passage.text]
    best = max(range(len(sentences)), key=lambda number: overlap(asked, sentences[number]))
    text = " ".join("".join(sentences[best:]).split())
    shown = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE].rstrip() + "…"
    return Quote(shown, f"[{passage.number}] {passage.document}")


def overlap(asked: set[str], text: str) -> float:
    """The share of the question's words that the text has."""
    return len(asked & content_terms(text)) / len(asked) if asked else 0.0


def content_terms(text: str) -> set[str]:
    return set(terms(text)) - STOP_WORDS
