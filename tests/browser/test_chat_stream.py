"""What a person sees while an answer is written."""

import pytest
from playwright.sync_api import Page, Route, expect

from chat.models import Message
from tests.browser.chatting import begin, last_answer, open_conversation, say, seen, wait_for_answer, watch
from tests.browser.conftest import OpenPage
from tests.browser.pages import Troubles
from tests.openai_stub import Call, OpenAIStub, Reply
from xiajiao.models import User

WORDS = [f"word{number}" for number in range(60)]
SLOW = Reply(text=" ".join(WORDS), rate=20)
# Every kind of block, wide ones among them.
RICH = (
    "First words.\n\n## Heading\n\n- one\n- two\n\n```python\n"
    + "print('a long line', " * 12
    + "1)\n```\n\n| a | b | c |\n|---|---|---|\n"
    + "| some words | more words | and more |\n" * 6
    + "\n> quoted\n\n"
    + "x" * 300
    + "\n\nLast words.\n"
)


def test_every_word_comes_in_order(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    expect(last_answer(page)).to_contain_text("word3")
    expect(page.locator(".composer-stop")).to_be_visible()
    expect(page.locator(".composer-send")).to_be_hidden()
    wait_for_answer(page)

    assert last_answer(page).locator(".prose").inner_text().split() == WORDS
    expect(page.locator(".composer-send")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("word0")


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_jumps_while_an_answer_is_written_and_finished(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, width: int
) -> None:
    openai_stub.says("Well.\n\n" * 30)
    page = open_page(width=width)
    begin(page, person)
    wait_for_answer(page)
    call = Reply(text="Before the tool.\n\n", reasoning="Let me think.\n" * 12, calls=(Call("memory_stats", "{}"),))
    openai_stub.answers(call, Reply(text=RICH, rate=60))
    say(page, "Tell me more")
    expect(page.locator(".message")).to_have_count(4)
    watch(page)
    wait_for_answer(page)
    expect(last_answer(page)).to_contain_text("Last words.")
    page.wait_for_timeout(200)

    assert len(seen(page, "composer")) == 1
    assert len(seen(page, "earlier")) == 1
    # The first words stand still from the moment that they are there, once the thoughts above them have begun.
    assert len(seen(page, "words")) == 1
    assert seen(page, "isWide") == [False]
    assert seen(page, "isAtEnd")[-1] is True


def test_who_reads_further_up_is_left_there(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.says("A line.\n\n" * 40)
    begin(page, person)
    wait_for_answer(page)
    openai_stub.says(RICH * 2, rate=60)
    say(page, "Tell me more")
    expect(last_answer(page)).to_contain_text("First words.")
    page.locator("#scroller").hover()
    page.mouse.wheel(0, -60)
    expect(page.locator("#to-latest")).to_be_visible()
    watch(page)
    wait_for_answer(page)
    page.wait_for_timeout(200)

    assert len(seen(page, "read")) == 1
    page.locator("#to-latest").click()
    expect(page.locator("#thread").get_by_text("Last words.").last).to_be_in_viewport()
    expect(page.locator("#to-latest")).to_be_hidden()


def test_what_was_unfolded_stays_so_when_the_answer_is_finished(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    call = Reply(reasoning="Let me think.", calls=(Call("memory_stats", "{}"),))
    openai_stub.answers(call, SLOW)
    begin(page, person)
    page.locator(".message-reasoning summary").click()
    page.locator(".tool-call summary").press("Enter")
    expect(last_answer(page)).to_contain_text("word3")
    wait_for_answer(page)

    expect(page.get_by_text("Let me think.")).to_be_visible()
    expect(page.locator(".tool-call-body")).to_be_visible()
    expect(page.locator(".tool-call summary")).to_be_focused()


def test_a_reload_and_a_second_tab_follow_the_same_answer(
    page: Page, person: User, openai_stub: OpenAIStub, open_page: OpenPage
) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    expect(last_answer(page)).to_contain_text("word3")
    other = open_page()
    open_conversation(other, person.conversations.get())
    page.reload()
    for each in (page, other):
        wait_for_answer(each)
        assert last_answer(each).locator(".prose").inner_text().split() == WORDS
    assert Message.objects.count() == 2
    assert len(openai_stub.requests) == 1


def test_a_stop_keeps_what_was_written_and_offers_another_try(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.answers(Reply(text=SLOW.text * 9, rate=20), SLOW)
    begin(page, person)
    expect(last_answer(page)).to_contain_text("word3")
    page.locator(".composer-stop").click()
    wait_for_answer(page, "stopped")

    expect(last_answer(page)).to_contain_text("word3")
    expect(last_answer(page)).to_contain_text("Stopped.")
    expect(page.locator("#announcer")).to_have_text("Stopped.")
    expect(page.locator("#composer-text")).to_be_focused()
    page.get_by_role("button", name="Try again").click()
    wait_for_answer(page)
    expect(last_answer(page).locator(".siblings")).to_contain_text("2/2")


class Outage:
    """The page's next requests for the stream, so many of them, get no answer of the site's."""

    def __init__(self, page: Page, length: int) -> None:
        self.left = length
        page.route("**/stream/", self.answer)

    def answer(self, route: Route) -> None:
        self.left -= 1
        if self.left >= 0:
            route.fulfill(status=502, body="Bad gateway")
        else:
            route.continue_()


def test_a_lost_connection_is_told_and_taken_up_again(
    page: Page, person: User, openai_stub: OpenAIStub, troubles: Troubles
) -> None:
    openai_stub.always(Reply(text=SLOW.text, rate=12))
    begin(page, person)
    expect(last_answer(page)).to_contain_text("word3")
    Outage(page, 1)
    page.evaluate("document.querySelector('[hx-sse\\\\:connect]')._htmx.sse.reader.cancel()")
    expect(page.get_by_text("The connection is lost.")).to_be_visible()
    expect(page.get_by_text("The connection is lost.")).to_be_hidden()
    expect(last_answer(page)).to_have_attribute("aria-busy", "true")
    wait_for_answer(page)

    assert last_answer(page).locator(".prose").inner_text().split() == WORDS
    troubles.forgive("502")


def test_a_stream_that_cannot_be_opened_is_tried_again(
    page: Page, person: User, openai_stub: OpenAIStub, troubles: Troubles
) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    wait_for_answer(page)
    Outage(page, 1)
    say(page, "Hello again")
    expect(page.get_by_text("The connection is lost.")).to_be_visible()
    wait_for_answer(page, count=4)

    assert last_answer(page).locator(".prose").inner_text().split() == WORDS
    expect(page.locator("#toasts .toast-note")).to_have_count(0)
    troubles.forgive("502")
