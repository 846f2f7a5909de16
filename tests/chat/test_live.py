import random
import re

import pytest

from chat.events import MemoriesRecalled, Streamed, ToolCalled, ToolReturned, TurnStarted
from chat.live import LiveAnswer
from chat.markdown import render_markdown
from chat.models import Message, ToolCall
from xiajiao.llm.base import ReasoningDelta, TextDelta

PARTIAL = re.compile(r'<hx-partial hx-target="#([^"]+)" hx-swap="(\w+)">(.*?)</hx-partial>', re.DOTALL)
TEXT = """# Plan

A paragraph with **bold** words
in two lines.

- one
- two

  with a second paragraph

1. first
2. second

```python
def f():

    return 1
```

| a | b |
|---|---|
| 1 | 2 |

Done, says [she](https://a.example).
"""


class Page:
    """The places of a message in a page, as htmx would change them."""

    def __init__(self) -> None:
        self.places = dict.fromkeys(["blocks", "open", "reasoning", "stage"], "")

    def swap(self, html: str) -> None:
        for target, swap, content in PARTIAL.findall(html):
            if target.startswith("tool-call-"):
                pattern = rf'<details id="{target}".*?</details>'
                assert re.search(pattern, self.places["blocks"], re.DOTALL), "swapped before it was there"
                before, after = re.split(pattern, self.places["blocks"], maxsplit=1, flags=re.DOTALL)
                self.places["blocks"] = before + content + after
            else:
                place = target.rpartition("-")[2]
                self.places[place] = self.places[place] + content if swap == "beforeend" else content

    @property
    def text(self) -> str:
        return self.places["blocks"] + self.places["open"]


def squeeze(html: str) -> str:
    return re.sub(r"\s+", "", html)


@pytest.mark.parametrize("seed", range(30))
def test_however_a_text_is_cut_the_page_ends_with_what_the_whole_would_show(seed: int) -> None:
    chance = random.Random(seed)
    live, page = LiveAnswer(1), Page()
    start = 0
    while start < len(TEXT):
        end = start + chance.choice([1, 2, 5, 20, 60])
        live.apply(TextDelta(TEXT[start:end]))
        start = end
        if chance.random() < 0.7:
            page.swap(live.render())
    page.swap(live.render())

    assert squeeze(page.text) == squeeze(render_markdown(TEXT))


def test_closed_blocks_are_sent_once() -> None:
    live = LiveAnswer(1)
    sent = ""
    for word in re.findall(r"\S+\s*|\s+", TEXT * 20):
        live.apply(TextDelta(word))
        sent += live.render()

    blocks = "".join(content for target, _swap, content in PARTIAL.findall(sent) if target.endswith("-blocks"))
    assert len(blocks) < 2 * len(render_markdown(TEXT * 20))


def test_nothing_is_sent_where_nothing_has_changed() -> None:
    live = LiveAnswer(1)
    live.apply(TextDelta("Hello"))
    live.render()

    assert live.render() == ""


def test_tool_calls_stand_between_the_texts_and_are_replaced_when_they_return() -> None:
    live, page = LiveAnswer(1), Page()
    events: list[Streamed] = [TextDelta("Before."), ToolCalled(7, "memory_search", "{}"), TextDelta("After.")]
    for event in events:
        live.apply(event)
        page.swap(live.render())
    live.apply(ToolReturned(7, "memory_search", "<b>found</b>"))
    page.swap(live.render())

    places = [page.text.index(piece) for piece in ("Before.", "tool-call-7", "&lt;b&gt;found", "After.")]
    assert places == sorted(places)
    assert page.text.count('id="tool-call-7"') == 1
    assert 'data-status="done"' in page.text


def test_a_call_that_returned_at_once_is_sent_once() -> None:
    live, page = LiveAnswer(1), Page()
    live.apply(ToolCalled(7, "memory_search", "{}"))
    live.apply(ToolReturned(7, "memory_search", "found"))
    html = live.render()
    page.swap(html)

    assert html.count('id="tool-call-7"') == 1
    assert 'data-status="done"' in page.text


EVENTS: list[Streamed] = [
    TurnStarted("m", "p"),
    MemoriesRecalled(2),
    ReasoningDelta("Hm <i>."),
    *(TextDelta(piece) for piece in re.findall(r".{1,7}", TEXT[:150], re.DOTALL)),
    ToolCalled(3, "memory_stats", "{}"),
    ToolReturned(3, "memory_stats", "total: 0"),
    *(TextDelta(piece) for piece in re.findall(r".{1,7}", TEXT[150:], re.DOTALL)),
]


@pytest.mark.parametrize("known", range(0, len(EVENTS), 3))
def test_a_page_that_knows_a_part_is_sent_the_rest(known: int) -> None:
    whole, part, page = LiveAnswer(1), LiveAnswer(1), Page()
    for event in EVENTS[:known]:
        whole.apply(event)
        part.apply(event)
    page.swap(whole.render(is_snapshot=True))
    part.mark_shown()
    for event in EVENTS[known:]:
        whole.apply(event)
        part.apply(event)
    page.swap(part.render())
    other = Page()
    other.swap(whole.render(is_snapshot=True))

    assert squeeze(page.text) == squeeze(other.text)
    assert page.places["reasoning"] == other.places["reasoning"] == "Hm &lt;i&gt;."


def test_a_snapshot_replaces_whatever_a_page_shows() -> None:
    live, page = LiveAnswer(1), Page()
    page.places["blocks"] = page.places["open"] = "stale"
    for event in EVENTS:
        live.apply(event)
    page.swap(live.render(is_snapshot=True))

    assert "stale" not in page.text
    assert 'id="tool-call-3"' in page.text


def test_the_rows_alone_show_the_same() -> None:
    live, restored = LiveAnswer(1), LiveAnswer(1)
    for event in EVENTS:
        live.apply(event)
    call = ToolCall(pk=3, name="memory_stats", arguments="{}", result="total: 0", status="done", offset=150)
    restored.restore(Message(content=TEXT, reasoning="Hm <i>."), [call])
    page, other = Page(), Page()
    page.swap(live.render(is_snapshot=True))
    other.swap(restored.render(is_snapshot=True))

    assert squeeze(page.text) == squeeze(other.text)


def test_a_huge_answer_is_shown_in_bounded_pieces() -> None:
    live = LiveAnswer(1)
    largest = 0
    for _ in range(400):
        live.apply(TextDelta("dumpling " * 500))
        largest = max(largest, len(live.render()))

    assert largest < 60_000
