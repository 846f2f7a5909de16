"""A model's markdown made into HTML that can do no harm, in bounded time: raw HTML is text, images are links.

markdown-it-py writes the HTML, nh3 lets pass what is listed here and nothing else, Pygments colours code by classes.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from mdit_py_plugins.tasklists import tasklists_plugin

from chat.citing import NOTHING, Known, citation, keep_citation, link_citations
from chat.markup import RULES, keep_math, keep_math_block

# Inline parsing can be quadratic: 20,000 times "[" take 0.2 s, ten times as many would take 20 s.
LONGEST_BLOCK = 20_000
LONGEST_MARKDOWN = 100_000
NEWLINE = re.compile(r"\r\n?|\n")
CLASSED = {"a", "button", "code", "div", "figcaption", "figure", "input", "li", "pre", "span", "td", "th", "ul"}
TAGS = CLASSED | {"p", "br", "hr", "em", "strong", "s", "del", "blockquote", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}
TAGS |= {"table", "thead", "tbody", "tr"}
ATTRIBUTES = {tag: {"class"} for tag in CLASSED} | {
    "a": {"class", "href", "title", "target"},
    "button": {"class", "type", "data-copy"},
    "input": {"class", "type", "checked", "disabled"},
    "ol": {"start"},
}


@cache
def parser() -> MarkdownIt:
    """`breaks`: models and people mean the line breaks that they write."""
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": True, "breaks": True})
    markdown.enable(["table", "strikethrough", "linkify"]).use(tasklists_plugin)
    # "main.py" is a file here, not a site in Paraguay.
    markdown.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})  # type: ignore[union-attr]
    markdown.inline.ruler.before("escape", "math", keep_math)
    markdown.inline.ruler.before("link", "citation", keep_citation)
    markdown.block.ruler.before("fence", "math_block", keep_math_block, {"alt": ["paragraph"]})
    for name, rule in (RULES | {"citation": citation}).items():
        markdown.add_render_rule(name, rule)
    return markdown


@cache
def block_parser() -> MarkdownIt:
    """Finds where blocks begin and leaves alone what is inside them."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.block.ruler.before("fence", "math_block", keep_math_block, {"alt": ["paragraph"]})
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown


def render_markdown(text: str, known: Known = NOTHING) -> SafeString:
    """HTML in the active language (a code block has a button). Past some length it is plain text in pieces.

    `known`: what citations become links to.
    """
    if len(text) <= LONGEST_BLOCK:
        return render_block(text, known)
    rich, plain = cut_at_last_line(text) if len(text) > LONGEST_MARKDOWN else (text, "")
    html = "".join(render_block(rich[start:end], known) for start, end in pairwise(chunk_bounds(rich)))
    return mark_safe(html + render_plain(plain))  # noqa: S308  each part is clean


def render_block(text: str, known: Known) -> SafeString:
    """A piece of markdown; one that is too long to be parsed is shown as it is."""
    if len(text) > LONGEST_BLOCK and not is_fence(text):
        return render_plain(text)
    html = parser().render(text, {"language": get_language(), "known": known})
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        link_rel="noopener nofollow",
        tag_attribute_values={},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
    )
    return mark_safe(link_citations(clean, known.answer_id))  # noqa: S308  nh3 has just made it so


def render_plain(text: str) -> SafeString:
    """Escaped, in pieces that a browser lays out one by one."""
    pieces = []
    while text:
        cut = text.rfind("\n", 0, LONGEST_BLOCK) + 1 if len(text) > LONGEST_BLOCK else 0
        piece, text = text[: cut or LONGEST_BLOCK], text[cut or LONGEST_BLOCK :]
        pieces.append(f'<pre class="plain">{escape(piece)}</pre>')
    return mark_safe("".join(pieces))  # noqa: S308  escaped


def is_fence(text: str) -> bool:
    return text.lstrip().startswith(("```", "~~~"))


def block_starts(text: str) -> list[int]:
    """Offsets in `text` at which its top-level blocks begin; the first is always 0."""
    tokens = block_parser().parse(text)
    lines = {token.map[0] for token in tokens if token.level == 0 and token.map and token.nesting >= 0}
    offsets = [0, *(match.end() for match in NEWLINE.finditer(text))]
    return [0, *(offsets[line] for line in sorted(lines)[1:])]


def chunk_bounds(text: str) -> list[int]:
    """Cuts between blocks, as few as leave no chunk over LONGEST_BLOCK but where one block is."""
    bounds = [0]
    starts = [*block_starts(text), len(text)]
    for start, end in pairwise(starts):
        if end - bounds[-1] > LONGEST_BLOCK and start > bounds[-1]:
            bounds.append(start)
    return [*bounds, len(text)]


def closed_length(text: str) -> int:
    """How much of a text that still grows is closed: all whole lines before its last top-level block.

    A line that is not whole yet closes nothing, since "#" is a heading and "#tag" a paragraph that goes on.
    A block that grows too long to be parsed again and again is closed where it is.
    """
    whole = text[: text.rfind("\n") + 1]
    if not whole.strip():
        return len(text) if len(text) > LONGEST_BLOCK else 0
    start = block_starts(whole)[-1]
    longest = LONGEST_MARKDOWN if is_fence(text[start : start + 100]) else LONGEST_BLOCK
    return len(whole) if len(text) - start > longest else start


def cut_at_last_line(text: str) -> tuple[str, str]:
    cut = text.rfind("\n", 0, LONGEST_MARKDOWN) + 1 or LONGEST_MARKDOWN
    return text[:cut], text[cut:]
