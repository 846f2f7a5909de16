"""What chat/stream.py promises, through htmx in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from chat.models import Message
from chat.runner import runner, start_turn
from tests.browser.pages import sign_in
from tests.chat.turning import make_answer, wait_for
from tests.openai_stub import Call, OpenAIStub, Reply

WORDS = [f"w{number}" for number in range(80)]
TEXT = " ".join(f"{word}\n\n" if number % 9 == 8 else word for number, word in enumerate(WORDS))
# Remembers each state of an answer in which its words were not w0, w1, w2 and so on.
WATCH = """
window.faults = []; window.states = 0;
new MutationObserver(() => {
  const prose = document.querySelector('article[data-status] .prose:last-of-type');
  const words = (prose?.innerText.match(/\\bw\\d+\\b/g) || []);
  window.states += 1;
  if (words.some((word, number) => word !== `w${number}`)) window.faults.push(words.join(' '));
}).observe(document.body, {childList: true, subtree: true, characterData: true});
"""


@pytest.fixture(autouse=True)
def _fresh_runner(site: str) -> Iterator[None]:
    runner.cache_clear()
    yield
    runner().shut_down()
    runner.cache_clear()


def open_conversation(page: Page, stub: OpenAIStub, *replies: Reply) -> Message:
    stub.answers(*replies)
    answer = make_answer("Count for me")
    sign_in(page, answer.conversation.user)
    start_turn(answer.pk)
    page.goto(f"/conversations/{answer.conversation_id}/")
    page.evaluate(WATCH)
    return answer


def shown_words(page: Page, answer: Message) -> list[str]:
    return re.findall(r"\bw\d+\b", page.locator(f"#message-{answer.pk}").inner_text())


def test_words_stand_in_order_at_every_moment(page: Page, openai_stub: OpenAIStub) -> None:
    answer = open_conversation(page, openai_stub, Reply(text=TEXT, rate=40))
    expect(page.locator(f"#message-{answer.pk}")).to_have_attribute("data-status", "done")

    assert shown_words(page, answer) == WORDS
    assert page.evaluate("window.faults") == []
    assert page.evaluate("window.states") > 5


def test_a_tool_call_stands_where_it_was_made(page: Page, openai_stub: OpenAIStub) -> None:
    first = Reply(text=f"{TEXT[:30]}\n\n", calls=(Call("memory_stats", "{}"),), rate=40)
    answer = open_conversation(page, openai_stub, first, Reply(text=TEXT[30:], rate=40))
    message = page.locator(f"#message-{answer.pk}")
    expect(message.locator("details.tool-call")).to_have_attribute("data-status", "done")
    expect(message).to_have_attribute("data-status", "done")

    assert message.locator("details.tool-call").count() == 1
    assert "w79" in message.inner_text()


def test_a_page_that_lost_its_connection_goes_on(page: Page, openai_stub: OpenAIStub) -> None:
    answer = open_conversation(page, openai_stub, Reply(text=TEXT, rate=15))
    wait_for(lambda: "w15" in shown_words(page, answer))
    page.evaluate("document.querySelector('[hx-sse\\\\:connect]')._htmx.sse.reader.cancel()")
    expect(page.locator(f"#message-{answer.pk}")).to_have_attribute("data-status", "done")

    assert shown_words(page, answer) == WORDS
    assert page.evaluate("window.faults") == []


def test_scripts_that_come_late_miss_nothing(page: Page, openai_stub: OpenAIStub) -> None:
    def delay(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/*.js", delay)
    answer = open_conversation(page, openai_stub, Reply(text=TEXT, rate=40))

    expect(page.locator(f"#message-{answer.pk}")).to_have_attribute("data-status", "done")
    assert shown_words(page, answer) == WORDS


def test_the_end_is_read_out(page: Page, openai_stub: OpenAIStub) -> None:
    open_conversation(page, openai_stub, Reply(text=TEXT, rate=40))

    expect(page.locator("#announcer")).to_contain_text("w79")
