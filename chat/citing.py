"""Citations in an answer: `[M12]` leads to the memory, `[2]` to what a document says, where the answer knew it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from chat.models import ToolCall

# A memory, or a source by its number.
NUMBER = re.compile(r"M\d{1,18}|\d{1,4}")
# One or several between brackets; before "(" it is the text of a link.
CITATION = re.compile(rf"\[(?:{NUMBER.pattern})(?: ?[,，、;；] ?(?:{NUMBER.pattern}))*\](?!\()")
# What memories themselves say is escaped in the results of tools.
TOLD = re.compile(r"(?<!\\)\[M(\d{1,18})\]")
# Only `citation` writes it: all other markup of an answer is escaped or made by the parser.
MARK = re.compile(rf'<span class="citation">({NUMBER.pattern})</span>')


@dataclass(frozen=True)
class Known:
    """What an answer may cite: memories by id, sources by number; `answer_id` is whose sources they are."""

    memories: frozenset[int] = frozenset()
    sources: frozenset[int] = frozenset()
    answer_id: int = 0

    def __contains__(self, mark: str) -> bool:
        return int(mark[1:]) in self.memories if mark.startswith("M") else int(mark) in self.sources

    def __or__(self, other: Known) -> Known:
        return Known(self.memories | other.memories, self.sources | other.sources, self.answer_id or other.answer_id)


NOTHING = Known()


def find_known(recalled: Iterable[int | None], calls: Iterable[ToolCall]) -> frozenset[int]:
    """Ids of the memories that went into the prompt, and of those that the memory tools named."""
    results = [call.result for call in calls if call.name.startswith("memory_")]
    told = {int(number) for result in results for number in TOLD.findall(result)}
    return frozenset(told.union(pk for pk in recalled if pk is not None))


def keep_citation(state: StateInline, silent: bool) -> bool:
    """Finds a citation of something that is known; inside a link there is none, and one around it goes before."""
    if silent or state.linkLevel or state.src[state.pos] != "[":
        return False
    found = CITATION.match(state.src, state.pos)
    known = state.env.get("known", NOTHING)
    if found is None or not any(mark in known for mark in NUMBER.findall(found[0])):
        return False
    state.push("citation", "span", 0).content = found[0]
    state.pos = found.end()
    return True


def citation(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Marks the known ones, for `link_citations`: no link of the page itself gets past the sanitiser."""

    def mark(number: re.Match[str]) -> str:
        return f'<span class="citation">{number[0]}</span>' if number[0] in env["known"] else number[0]

    return NUMBER.sub(mark, tokens[index].content)


def link_citations(html: str, answer_id: int) -> str:
    """To the drawer, or the page of its own; after the sanitiser."""
    return MARK.sub(lambda found: link(found[1], answer_id), html)


def link(mark: str, answer_id: int) -> str:
    if mark.startswith("M"):
        address, title = reverse("memories:memory_detail", args=[int(mark[1:])]), gettext("See and correct")
    else:
        address, title = (
            reverse("chat:source_detail", args=[answer_id, int(mark)]),
            gettext("See the passage"),
        )
    return format_html(
        '<a class="citation" href="{url}" hx-get="{url}" hx-target="#side" title="{title}">{mark}</a>',
        url=address,
        title=title,
        mark=mark,
    )
