"""Citations of memories in an answer: `[M12]` leads to the memory where the answer knew it, else it stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from chat.models import ToolCall

NUMBER = re.compile(r"M(\d{1,18})")
# One or several between brackets; before "(" it is the text of a link.
CITATION = re.compile(r"\[M\d{1,18}(?: ?[,，、;；] ?M\d{1,18})*\](?!\()")
# What memories themselves say is escaped in the results of tools.
TOLD = re.compile(r"(?<!\\)\[M(\d{1,18})\]")
# Only `citation` writes it: all other markup of an answer is escaped or made by the parser.
MARK = re.compile(r'<span class="citation">M(\d{1,18})</span>')


def find_known(recalled: Iterable[int | None], calls: Iterable[ToolCall]) -> frozenset[int]:
    """Ids of the memories that went into the prompt, and of those that the memory tools named."""
    results = [call.result for call in calls if call.name.startswith("memory_")]
    told = {int(number) for result in results for number in TOLD.findall(result)}
    return frozenset(told.union(pk for pk in recalled if pk is not None))


def keep_citation(state: StateInline, silent: bool) -> bool:
    """Finds a citation of at least one known memory; inside a link there is none, and one around it goes before."""
    if silent or state.linkLevel or state.src[state.pos] != "[":
        return False
    found = CITATION.match(state.src, state.pos)
    if found is None or state.env.get("known", frozenset()).isdisjoint(numbers_of(found[0])):
        return False
    state.push("citation", "span", 0).content = found[0]
    state.pos = found.end()
    return True


def numbers_of(citation: str) -> list[int]:
    return [int(number) for number in NUMBER.findall(citation)]


def citation(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Marks the known ones, for `link_citations`: no link of the page itself gets past the sanitiser."""

    def mark(number: re.Match[str]) -> str:
        return f'<span class="citation">{number[0]}</span>' if int(number[1]) in env["known"] else number[0]

    return NUMBER.sub(mark, tokens[index].content)


def link_citations(html: str) -> str:
    """To the drawer, or the memory's page; after the sanitiser."""
    return MARK.sub(lambda found: link_memory(int(found[1])), html)


def link_memory(pk: int) -> str:
    return format_html(
        '<a class="citation" href="{url}" hx-get="{url}" hx-target="#side" title="{title}">M{pk}</a>',
        url=reverse("memories:memory_detail", args=[pk]),
        title=gettext("See and correct"),
        pk=pk,
    )
