"""What the documents say to a turn: chunks that were found, each with the text around it, within a budget."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.template.loader import render_to_string
from django.utils import translation

from knowledge.labels import label_chunk
from knowledge.models import Document, KnowledgeBase
from knowledge.passages import Passage, read_passage
from knowledge.search import Findings, Found, Wanted, search_chunks
from xiajiao.fencing import make_inert
from xiajiao.texts import estimate_tokens

TOP_K = 6
# Tokens of the section; what exceeds it is told, and not sent.
BUDGET = 3000
# Characters of one text around a chunk, the chunk in its midst.
LONGEST = 4000


@dataclass(frozen=True)
class Consulted:
    """`number` is what an answer cites it by, from 1; `text` what is sent of it. `also`: other hits in that text."""

    number: int
    found: Found
    passage: Passage
    also: Sequence[Found] = ()
    was_cut: bool = False
    # Of a file that is attached to the conversation: sent without being searched for.
    is_given: bool = False

    @property
    def label(self) -> str:
        return label_chunk(self.found.chunk)

    @property
    def text(self) -> str:
        return self.passage.text

    @property
    def place(self) -> tuple[int, int]:
        """Where in `text` the chunk stands that was found, in characters; nowhere where none had to be."""
        start = 0 if self.is_given else len(self.passage.before)
        return start, start if self.is_given else start + len(self.passage.marked)

    @property
    def score_parts(self) -> dict[str, float]:
        return {} if self.is_given else self.found.parts


class How(StrEnum):
    """How much of a file a turn was given."""

    WHOLE = "whole"
    # Too long for that: what fits the question; or the beginning, where nothing does.
    PASSAGES = "passages"
    BEGINNING = "beginning"
    SILENT = "silent"
    UNREAD = "unread"
    FAILED = "failed"


@dataclass(frozen=True)
class Attached:
    document: Document
    how: How


@dataclass(frozen=True)
class Consultation:
    """Best first. `is_degraded`: words alone were searched. `attached`: the files of the conversation."""

    items: Sequence[Consulted] = ()
    is_degraded: bool = False
    attached: Sequence[Attached] = ()

    @property
    def used(self) -> list[Consulted]:
        return [item for item in self.items if not item.was_cut]


def consult(
    bases: Collection[KnowledgeBase], texts: Sequence[str], top_k: int = TOP_K, wanted: Wanted | None = None
) -> Consultation:
    """Relevant chunks for the texts of a turn (the message; and with the one before it, where that makes sense).

    Numbered from 1. Never raises for a model.
    """
    if not bases or not texts:
        return Consultation()
    findings = [search_chunks(bases, text, top_k, wanted) for text in texts]
    groups = group_by_parent(merge(findings))
    items = [
        Consulted(number, group[0], read_passage(group[0].chunk).clip(LONGEST), group[1:])
        for number, group in enumerate(list(groups)[:top_k], 1)
    ]
    return Consultation(fit(items), any(each.is_degraded for each in findings))


def merge(findings: Sequence[Findings]) -> list[Found]:
    """Of several queries: each chunk once, as the query found it that ranked it best."""
    best: dict[int, Found] = {}
    for found in (each for result in findings for each in result.relevant):
        known = best.get(found.chunk.pk)
        if known is None or known.hit.score < found.hit.score:
            best[found.chunk.pk] = found
    return sorted(best.values(), key=lambda each: each.hit.score, reverse=True)


def group_by_parent(found: Sequence[Found]) -> Collection[list[Found]]:
    """Chunks of one parent are read together, where its best one stands."""
    groups: dict[int, list[Found]] = {}
    for each in found:
        groups.setdefault(each.chunk.parent_id, []).append(each)
    return groups.values()


def fit(items: Sequence[Consulted]) -> list[Consulted]:
    """The same ones; what exceeds the budget is marked, a smaller one after it may fit. The first is always sent."""
    spent, fitted = 0, []
    for item in items:
        cost = estimate_tokens(item.text) + estimate_tokens(item.label)
        was_cut = bool(spent) and spent + cost > BUDGET
        spent += 0 if was_cut else cost
        fitted.append(replace(item, was_cut=was_cut))
    return fitted


def render_document_section(consultation: Consultation, language: str) -> str:
    """The section `## Documents` in the agent's language; empty where there is nothing to say.

    `[1] (doc: name, p. 3)` stands over each text.
    """
    items = [
        {
            "number": item.number,
            "label": " ".join(make_inert(item.label).split()),
            "text": make_inert(item.text).strip(),
        }
        for item in consultation.used
    ]
    files = [
        {"name": " ".join(make_inert(each.document.name).split()), "how": each.how} for each in consultation.attached
    ]
    if not items and not files:
        return ""
    name = "zh-hans" if language.lower().startswith("zh") else "en"
    with translation.override(language):
        return render_to_string(f"prompts/knowledge/section.{name}.txt", {"items": items, "files": files}).strip()
