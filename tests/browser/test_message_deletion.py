"""One message is taken out of a conversation, and brought back."""

import pytest
from playwright.sync_api import Page, expect

from chat.models import Message
from tests.browser.chatting import begin, last_answer, open_conversation, say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits
from tests.chat.turning import make_branch
from tests.factories import make_conversation
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

WORDS = {"en": ("The message is deleted.", "Undo"), "zh": ("消息已删除。", "撤销")}


def delete(page: Page, place: int) -> None:
    page.locator(".message").nth(place).locator("[data-deletes]").press("Enter")
    page.locator("#confirm button[value=yes]").press("Enter")


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("zh", 1280), ("zh", 360)])
def test_a_message_goes_with_what_follows_and_comes_back(
    open_page: OpenPage, person: User, language: str, width: int
) -> None:
    said, undo = WORDS[language]
    conversation = make_conversation(agent=person.agents.get(), user=person)
    made = make_branch(conversation, 6)
    page = open_page(language, width)
    open_conversation(page, conversation)
    delete(page, 2)
    expect(page.locator(".message")).to_have_count(2)
    expect(page.locator("#toasts")).to_contain_text(said)
    assert_accessible(page)
    assert_fits(page)
    page.locator("#toasts").get_by_role("button", name=undo).click()
    expect(page.locator(".message")).to_have_count(6)
    expect(page.locator(f"#message-{made[2].pk}")).to_be_focused()


def test_after_the_last_one_the_conversation_is_empty_and_goes_on(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.says("One.")
    openai_stub.says("Two.")
    begin(page, person)
    wait_for_answer(page)
    delete(page, 0)
    expect(page.locator(".thread-empty")).to_be_visible()
    assert_accessible(page)
    expect(page.locator("#composer-text")).to_be_focused()
    say(page, "Again")
    wait_for_answer(page)
    expect(last_answer(page)).to_contain_text("Two.")
    expect(page.locator(".thread-empty")).to_be_hidden()

    assert Message.objects.kept().count() == 2


def test_an_answer_that_was_deleted_can_be_asked_for_again(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.says("One.")
    openai_stub.says("Two.")
    begin(page, person)
    wait_for_answer(page)
    delete(page, 1)
    page.get_by_role("button", name="Ask for an answer").press("Enter")
    expect(last_answer(page)).to_contain_text("Two.")
    wait_for_answer(page)
    expect(page.get_by_role("button", name="Ask for an answer")).to_have_count(0)


def test_while_an_answer_is_written_nothing_is_deleted(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.says("word " * 200, rate=20)
    begin(page, person)
    expect(last_answer(page)).to_contain_text("word")
    delete(page, 0)
    expect(page.locator("#composer-error")).to_contain_text("being written")

    assert Message.objects.kept().count() == 2
