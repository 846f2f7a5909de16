"""Nothing that is written in the composer is sent too early, twice or never, and nothing of it is lost."""

import re

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Route, expect

from chat.models import Conversation, Message
from chat.sending import send_message
from tests.browser.chatting import begin, open_conversation, say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import Troubles, sign_in
from tests.chat.turning import finish, make_answer
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User


@pytest.fixture
def conversation(person: User, openai_stub: OpenAIStub) -> Conversation:
    openai_stub.always(Reply(text="Well."))
    return finish(make_answer("Hello", agent=person.agents.get(), user=person)).conversation


def paste(page: Page, text: str) -> None:
    """By the keyboard: what Chromium takes from another program for typing is much slower than what it pastes."""
    page.evaluate(
        """text => {
            const area = Object.assign(document.createElement("textarea"), { value: text });
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
        }""",
        text,
    )
    page.locator("#composer-text").focus()
    page.keyboard.press("Control+v")


def written(conversation: Conversation) -> list[str]:
    return list(conversation.messages.filter(role="user").values_list("content", flat=True))[1:]


def test_enter_never_sends_while_an_input_method_composes(page: Page, conversation: Conversation) -> None:
    open_conversation(page, conversation)
    text = page.locator("#composer-text")
    text.focus()
    method = page.context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "ni hao", "selectionStart": 6, "selectionEnd": 6})
    page.keyboard.press("Enter")
    text.evaluate(
        """text => text.dispatchEvent(
            new KeyboardEvent("keydown", {key: "Enter", keyCode: 229, bubbles: true, cancelable: true}))"""
    )
    method.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    method.send("Input.insertText", {"text": "你好"})
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second line")
    before = text.input_value()
    page.keyboard.press("Enter")
    wait_for_answer(page, count=4)
    expect(text).to_have_value("")

    # Without a real input method the browser writes the line break that the method would have swallowed.
    assert before.strip() == "你好\nsecond line"
    assert written(conversation) == [before.strip()]


def test_clicking_again_and_again_sends_once(page: Page, conversation: Conversation) -> None:
    def delay(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    open_conversation(page, conversation)
    page.route("**/messages/", delay)
    page.locator("#composer-text").fill("Once")
    page.locator(".composer-send").click(click_count=3)
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)

    assert written(conversation) == ["Once"]


def test_the_first_message_is_sent_once_and_leaves_no_draft(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    sign_in(page, person)
    page.goto("/")
    page.locator("#composer-text").fill("Once")
    page.locator(".composer-send").dblclick(no_wait_after=True)
    page.wait_for_url("**/conversations/*/")
    wait_for_answer(page)
    expect(page.locator("#composer-text")).to_have_value("")
    page.goto(f"/?agent={person.agents.get().pk}")

    expect(page.locator("#composer-text")).to_have_value("")
    assert Message.objects.filter(role="user").count() == 1


def test_a_draft_outlives_a_reload_and_belongs_to_its_conversation(page: Page, conversation: Conversation) -> None:
    open_conversation(page, conversation)
    page.locator("#composer-text").fill("half a thought")
    page.goto("/")
    expect(page.locator("#composer-text")).to_have_value("")
    page.goto(f"/conversations/{conversation.pk}/")
    expect(page.locator("#composer-text")).to_have_value("half a thought")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("half a thought")
    page.locator("#composer-text").press("Enter")
    expect(page.locator("#composer-text")).to_have_value("")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("")


def test_a_message_that_the_network_swallowed_is_still_there(
    page: Page, conversation: Conversation, troubles: Troubles
) -> None:
    open_conversation(page, conversation)
    page.context.set_offline(True)
    say(page, "Do you hear me?")
    expect(page.locator(".toast-note")).to_contain_text("can't be reached")
    expect(page.locator("#composer-text")).to_have_value("Do you hear me?")
    page.context.set_offline(False)
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)

    assert written(conversation) == ["Do you hear me?"]
    troubles.forgive("ERR_INTERNET_DISCONNECTED")
    troubles.forgive("Failed to fetch")


def test_a_first_message_that_the_network_swallowed_is_still_there(
    page: Page, person: User, troubles: Troubles
) -> None:
    sign_in(page, person)
    page.goto("/")
    page.route("**/conversations/new/", lambda route: route.abort())
    say(page, "Do you hear me?")
    page.wait_for_url("chrome-error://**")
    page.unroute("**/conversations/new/")
    page.goto("/")

    expect(page.locator("#composer-text")).to_have_value("Do you hear me?")
    troubles.forgive("")


def test_an_answer_that_got_lost_on_its_way_makes_no_second_message(
    page: Page, conversation: Conversation, troubles: Troubles
) -> None:
    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    open_conversation(page, conversation)
    page.route("**/messages/", swallow)
    say(page, "Once")
    expect(page.locator(".toast-note")).to_be_visible()
    page.unroute("**/messages/")
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)

    assert written(conversation) == ["Once"]
    troubles.forgive("Failed to")


def test_what_is_refused_stays_in_the_composer(
    open_page: OpenPage, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    page = open_page()
    open_conversation(page, conversation)
    openai_stub.answers(Reply(text="word " * 200, rate=20))
    send_message(conversation, "Sent elsewhere meanwhile")
    say(page, "Me too")

    expect(page.locator("#composer-error")).to_contain_text("An answer is being written here.")
    expect(page.locator("#composer-text")).to_have_value("Me too")
    expect(page.locator(".message")).to_have_count(2)


def test_a_session_that_ended_keeps_what_was_to_be_sent(page: Page, conversation: Conversation) -> None:
    open_conversation(page, conversation)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    say(page, "Who am I?")
    expect(page.locator("#toasts")).to_contain_text("You are signed out.")
    expect(page.locator("#composer-text")).to_have_value("Who am I?")
    sign_in(page, conversation.user)
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)
    assert written(conversation) == ["Who am I?"]


def test_twenty_thousand_lines_are_pasted_sent_and_folded(page: Page, conversation: Conversation) -> None:
    open_conversation(page, conversation)
    book = "\n".join(f"line {number % 90}" for number in range(20_000))
    paste(page, book)
    expect(page.locator("#composer-text")).to_have_value(re.compile(f".{{{len(book)}}}", re.DOTALL))
    composer = page.locator(".composer-box").bounding_box()
    assert composer is not None
    assert composer["height"] < 400
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)
    bubble = page.locator(".message-user .message-text").last.bounding_box()
    assert bubble is not None
    assert bubble["height"] < 400
    page.get_by_role("button", name="Show all of it").click()
    expect(page.get_by_role("button", name="Show less")).to_have_attribute("aria-expanded", "true")

    assert written(conversation) == [book]


def test_a_message_beyond_the_limit_is_told_and_kept(page: Page, conversation: Conversation) -> None:
    open_conversation(page, conversation)
    page.locator("#composer-text").fill("长" * 200_001)
    expect(page.locator("#composer-error")).to_contain_text("200000 characters at most")
    page.locator("#composer-text").press("Enter")
    page.locator(".composer-send").click()
    assert len(page.locator("#composer-text").input_value()) == 200_001
    page.locator("#composer-text").fill("长" * 200_000)
    expect(page.locator("#composer-error")).to_be_empty()
    page.locator("#composer-text").press("Enter")
    wait_for_answer(page, count=4)

    assert [len(text) for text in written(conversation)] == [200_000]


def test_a_first_message_is_refused_on_a_page_that_still_holds_it(person: User, client: Client) -> None:
    client.force_login(person)
    response = client.post("/conversations/new/", {"agent": person.agents.get().pk, "text": "x" * 200_001})

    assert response.status_code == 422
    assert "The message is too long." in response.content.decode()
    assert "x" * 200_001 in response.content.decode()


def test_a_suggestion_is_put_into_the_composer(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    sign_in(page, person)
    page.goto("/")
    page.get_by_role("button", name="Ask what it knows").click()
    expect(page.locator("#composer-text")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/conversations/*/")

    expect(page.locator(".message-user")).to_contain_text("What do you remember about me?")


def test_another_wording_is_sent_or_dropped_by_keys(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person, "First")
    wait_for_answer(page)
    edit = page.locator(".message-user").get_by_role("button", name="Edit")
    edit.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".message-form textarea")).to_be_focused()
    page.keyboard.press("Escape")
    expect(edit).to_be_focused()
    expect(page.locator(".message-form")).to_have_count(0)
    page.keyboard.press("Enter")
    page.locator(".message-form textarea").fill("Second")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".message-user .message-text")).to_have_text("Second")
    wait_for_answer(page)

    expect(page.locator(".message-user .siblings")).to_contain_text("2/2")
    assert Message.objects.filter(role="user").count() == 2
