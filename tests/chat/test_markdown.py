import html
import re

import pytest

from chat.markdown import LONGEST_BLOCK, LONGEST_MARKDOWN, closed_length, render_markdown

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](file:///etc/passwd)",
    "[x](/logout/)",
    "[x](//evil.example/x)",
    '[x](https://a.example "onmouseover=alert(1)")',
    '[x](https://a.example/"onmouseover="alert(1))',
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/beacon.png?secret=1)",
    "![x](data:image/svg+xml;base64,PHN2Zy8+)",
    '![" onerror="alert(1)](https://evil.example/x.png)',
    "[![x](https://evil.example/x.png)](javascript:alert(1))",
    "![x][r]\n\n[r]: https://evil.example/x.png",
    "[x][r]\n\n[r]: javascript:alert(1)",
    '```"><script>alert(1)</script>\ncode\n```',
    '```x" onclick="alert(1)\n</code></pre><script>alert(1)</script>\n```',
    "`<script>alert(1)</script>`",
    "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
    "- [ ] <input onfocus=alert(1) autofocus>",
    "$<script>alert(1)</script>$",
    "\\(<img src=x onerror=alert(1)>\\)",
    "<hx-partial hx-target='body'>x</hx-partial>",
    "<div hx-get='/x' hx-trigger='load'></div>",
    "<style>*{display:none}</style>",
    "<base href='https://evil.example/'>",
    "<form action='https://evil.example'><button>x</button></form>",
    "<!--><script>alert(1)</script>-->",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
]
TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)>")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("frame", ["{}", "> {}", "- {}", "**{}**", "# {}", "{}\n\n" * 2])
def test_hostile_markdown_is_inert(text: str, frame: str) -> None:
    rendered = render_markdown(frame.format(text, text))

    for _slash, name, attributes in TAG.findall(rendered):
        assert name in {
            *("a", "p", "span", "div", "ul", "li", "input", "code", "pre", "figure", "figcaption", "button"),
            *("table", "thead", "tbody", "tr", "th", "td", "blockquote", "strong", "h1", "br"),
        }
        names = set(re.findall(r'([\w:-]+)="', attributes))
        assert names <= {"href", "class", "target", "rel", "title", "type", "disabled", "data-copy"}
        for address in re.findall(r'href="([^"]*)"', attributes):
            assert re.match(r"(https?|mailto):", html.unescape(address))


def test_links_open_elsewhere_and_vouch_for_nothing() -> None:
    rendered = render_markdown("[site](https://a.example/?x=1&y=2) and https://b.example")

    assert rendered.count('target="_blank" rel="noopener nofollow"') == 2
    assert 'href="https://a.example/?x=1&amp;y=2"' in rendered


def test_an_image_becomes_a_link_that_loads_nothing() -> None:
    rendered = render_markdown("![a cat](https://a.example/cat.png)")

    assert "<img" not in rendered
    assert '<a class="image" href="https://a.example/cat.png"' in rendered
    assert ">a cat</a>" in rendered


def test_code_is_coloured_by_classes_and_has_its_name_and_a_button() -> None:
    rendered = render_markdown("```python\ndef f(): return '<b>'\n```")

    assert '<span class="code-language">Python</span>' in rendered
    assert "data-copy" in rendered
    assert '<span class="k">def</span>' in rendered
    assert "&lt;b&gt;" in rendered
    assert "style=" not in rendered


def test_an_unknown_language_is_shown_as_it_was_written() -> None:
    assert '<span class="code-language">klingon</span>' in render_markdown("```klingon\nnuqneH\n```")


def test_tables_tasks_and_strikethrough_are_understood() -> None:
    rendered = render_markdown("| a | b |\n|:--|--:|\n| 1 | ~~2~~ |\n\n- [x] done\n- [ ] open")

    assert '<th class="align-left">a</th>' in rendered
    assert '<td class="align-right"><s>2</s></td>' in rendered
    assert rendered.count('type="checkbox"') == 2
    assert rendered.count("checked=") == 1


@pytest.mark.parametrize("formula", [r"\(x_1 + y_1\)", r"\[a_b\]", "$a_b + c_d$", "$$x_1 * y_1$$"])
def test_mathematics_stays_as_it_was_written(formula: str) -> None:
    assert html.unescape(render_markdown(f"Now {formula} holds")).count(formula) == 1


@pytest.mark.parametrize("formula", ["$$\nx_1\n= y_1\n- z_1\n$$", "\\[ a_b\n+ c_d \\]", "$$ x_1 $$"])
def test_the_lines_of_a_formula_are_neither_lists_nor_headings(formula: str) -> None:
    rendered = render_markdown(f"Now\n{formula}\n\n**holds**")

    assert formula in html.unescape(rendered.replace("<br>", "\n"))
    assert "<strong>holds</strong>" in rendered
    assert closed_length(f"Now\n{formula}\n\nholds\n") == len(f"Now\n{formula}\n\n")


def test_prices_are_no_mathematics() -> None:
    assert "math" not in render_markdown("It costs $5 and then $10.")


def test_file_names_are_no_links() -> None:
    assert "<a" not in render_markdown("Open main.py and README.md")


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "*a ",
        "**a",
        "`",
        "<",
        "a\n\n",
        "- a\n",
        "> ",
        "|a|b|\n",
        "\\(",
        "$a",
        "[a]: b\n",
        "    ",
        "![](",
        "&",
    ],
)
def test_two_megabytes_of_anything_become_a_bounded_page(piece: str) -> None:
    text = piece * (2_000_000 // len(piece))

    rendered = render_markdown(text)

    assert len(rendered) < 20 * len(text)
    assert '<pre class="plain">' in rendered


def test_a_long_answer_is_rich_up_to_its_limit_and_complete() -> None:
    paragraphs = [f"Paragraph **{number}** says something." for number in range(6_000)]
    rendered = render_markdown("\n\n".join(paragraphs)).replace('</pre><pre class="plain">', "")

    assert "<strong>0</strong>" in rendered
    assert "**5999**" in rendered
    numbers = re.findall(r"Paragraph (?:<strong>|\*\*)(\d+)", rendered)
    assert numbers == [str(number) for number in range(6_000)]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("", ""),
        ("One line", ""),
        ("One line\n", ""),
        ("One\n\nTwo", ""),
        ("One\n\nTwo\n", "One\n\n"),
        ("# Head\nText\n", "# Head\n"),
        ("Text\n#", ""),
        ("Text\n#tag\n", ""),
        ("- a\n- b\n\n  more\n", ""),
        ("- a\n\nText\n", "- a\n\n"),
        ("```\ncode\n\nmore\n", ""),
        ("```\ncode\n```\nText\n", "```\ncode\n```\n"),
        ("a | b\n--|--\n1 | 2\n", ""),
        ("One\r\n\r\nTwo\r\n", "One\r\n\r\n"),
    ],
)
def test_only_whole_blocks_before_the_last_are_closed(text: str, closed: str) -> None:
    assert text[: closed_length(text)] == closed


def test_an_endless_block_is_closed_where_it_is() -> None:
    assert closed_length("word " * LONGEST_BLOCK) == 5 * LONGEST_BLOCK
    assert closed_length("line\n" * LONGEST_BLOCK) == 5 * LONGEST_BLOCK
    assert closed_length("```\n" + "line\n" * 10_000) == 0
    assert closed_length("```\n" + "line\n" * LONGEST_MARKDOWN) > 0
