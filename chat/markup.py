"""Single pieces of markup: code blocks, links, images, tables, mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from django.utils.html import escape
from django.utils.translation import gettext
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LONGEST_CODE = 20_000  # characters that are coloured
LONGEST_FORMULA = 60  # lines
NEW_LINE = "\n"
FORMATTER = HtmlFormatter(nowrap=True)
WEB = re.compile(r"(https?|mailto):", re.IGNORECASE)
# \( \), \[ \], $$ $$ and $ $; a price ("$5 and $10") is none, since the second dollar stands before a digit.
MATH = re.compile(
    r"\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]|\$\$.{1,2000}?\$\$|\$(?=[^\s$])[^$\n]{0,500}?(?<=[^\s\\])\$(?!\d)",
    re.DOTALL,
)

Rule = Callable[[RendererHTML, Sequence[Token], int, Any, Any], str]


@cache
def find_lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


def render_code(code: str, language: str) -> str:
    """A figure with the language's name and a button that static/js makes copy the code."""
    lexer = find_lexer(language.lower()) if language else None
    is_coloured = lexer is not None and len(code) <= LONGEST_CODE
    body = highlight(code, lexer, FORMATTER) if is_coloured else escape(code)
    label = lexer.name if lexer is not None else language
    return (
        '<figure class="code"><figcaption>'
        f'<span class="code-language">{escape(label)}</span>'
        f'<button type="button" class="code-copy" data-copy>{escape(gettext("Copy"))}</button>'
        f'</figcaption><pre><code class="highlight">{body}</code></pre></figure>\n'
    )


def fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    words = tokens[index].info.split()
    return render_code(tokens[index].content, words[0][:40] if words else "")


def code_block(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return render_code(tokens[index].content, "")


def link_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    if WEB.match(str(token.attrGet("href") or "")):
        token.attrSet("target", "_blank")
    else:
        token.attrs.pop("href", None)
    return renderer.renderToken(tokens, index, options, env)


def image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """A link to the picture: loading it would tell its server who reads what. Inside a link, its text alone."""
    token = tokens[index]
    source = str(token.attrGet("src") or "")
    text = escape(renderer.renderInlineAsText(token.children, options, env) or gettext("image"))
    depth = sum(earlier.nesting for earlier in tokens[:index] if earlier.type in {"link_open", "link_close"})
    if depth or not WEB.match(source):
        return f'<span class="image">{text}</span>'
    return f'<a class="image" href="{escape(source)}" target="_blank">{text}</a>'


def table_cell(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """The alignment as a class: the page's policy allows no inline style."""
    token = tokens[index]
    style = str(token.attrs.pop("style", ""))
    if style:
        token.attrSet("class", f"align-{style.rpartition(':')[2]}")
    return renderer.renderToken(tokens, index, options, env)


def table_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return '<div class="table"><table>\n'


def table_close(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def math(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return f'<span class="math">{escape(tokens[index].content)}</span>'


def keep_math(state: StateInline, silent: bool) -> bool:
    """Formulas stay as they were written: markdown would take their backslashes and make their underscores italics."""
    if state.src[state.pos] not in "\\$":
        return False
    found = MATH.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("math", "span", 0).content = found.group()
    state.pos = found.end()
    return True


def math_block(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return f'<div class="math">{escape(tokens[index].content).replace(NEW_LINE, "<br>")}</div>{NEW_LINE}'


def keep_math_block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A formula of its own: its lines may begin like lists or underline a heading, and are neither."""
    opening = line_of(state, first)
    closing = {"$$": "$$", "\\[": "\\]"}.get(opening[:2])
    if closing is None:
        return False
    is_closed = len(opening) >= 4 and opening.endswith(closing)
    following = range(first + 1, min(last, first + LONGEST_FORMULA))
    end = first if is_closed else next((line for line in following if line_of(state, line).endswith(closing)), None)
    if end is None or (end != first and closing in opening[2:]):
        return False
    if not silent:
        token = state.push("math_block", "div", 0)
        token.content = state.getLines(first, end + 1, state.blkIndent, False)
        token.map = [first, end + 1]
        state.line = end + 1
    return True


def line_of(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()


RULES: dict[str, Rule] = {
    "fence": fence,
    "code_block": code_block,
    "link_open": link_open,
    "image": image,
    "th_open": table_cell,
    "td_open": table_cell,
    "table_open": table_open,
    "table_close": table_close,
    "math": math,
    "math_block": math_block,
}
