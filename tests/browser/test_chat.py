import re

import pytest
from playwright.sync_api import Page, expect

from chat.models import Message
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.factories import make_agent, make_conversation, make_user
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

LOOKS = [("zh", 1280, "light"), ("zh", 390, "dark"), ("en", 1280, "dark"), ("en", 390, "light")]
SLOW = Reply(text="".join(f"word{number} " for number in range(60)), rate=20)


@pytest.fixture
def person(site: str) -> User:
    user = make_user()
    make_agent(owner=user, name="Helper")
    return user


def say(page: Page, text: str) -> None:
    page.locator("#composer-text").fill(text)
    page.keyboard.press("Enter")


def begin(page: Page, person: User, text: str = "Hello") -> None:
    sign_in(page, person)
    page.goto("/")
    say(page, text)
    page.wait_for_url("**/conversations/*/")


def last_answer(page: Page, status: str) -> None:
    expect(page.locator(".message-assistant").last).to_have_attribute("data-status", status)


def test_a_message_is_answered_word_by_word_in_order(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    expect(page.locator(".message-assistant")).to_contain_text("word3")
    expect(page.get_by_role("button", name="Stop").first).to_be_visible()
    composer = page.locator(".composer").bounding_box()
    last_answer(page, "done")

    assert page.locator(".composer").bounding_box() == composer
    shown = page.locator(".message-assistant .prose").inner_text().split()
    assert shown == [f"word{number}" for number in range(60)]
    expect(page.locator("#announcer")).to_contain_text("word0")


def test_a_stop_keeps_what_was_written_and_offers_another_try(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    expect(page.locator(".message-assistant")).to_contain_text("word3")
    page.locator(".composer-stop").click()
    last_answer(page, "stopped")

    expect(page.locator(".message-assistant")).to_contain_text("word3")
    page.get_by_role("button", name="Try again").click()
    last_answer(page, "done")
    expect(page.locator(".message-assistant").last.locator(".siblings")).to_contain_text("2/2")


def test_a_reload_and_a_second_tab_follow_the_same_answer(
    page: Page, person: User, openai_stub: OpenAIStub, open_page: OpenPage
) -> None:
    openai_stub.always(SLOW)
    begin(page, person)
    expect(page.locator(".message-assistant")).to_contain_text("word3")
    other = open_page()
    sign_in(other, person)
    other.goto(page.url)
    page.reload()
    for each in (page, other):
        last_answer(each, "done")
        assert each.locator(".message-assistant .prose").inner_text().split() == SLOW.text.split()
    assert Message.objects.count() == 2


def test_enter_never_sends_while_an_input_method_composes(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person)
    last_answer(page, "done")
    page.locator("#composer-text").focus()
    page.context.new_cdp_session(page).send(
        "Input.imeSetComposition", {"text": "ni hao", "selectionStart": 6, "selectionEnd": 6}
    )
    page.keyboard.press("Enter")
    page.evaluate(
        """() => document.getElementById("composer-text").dispatchEvent(
            new KeyboardEvent("keydown", {key: "Enter", keyCode: 229, bubbles: true, cancelable: true}))"""
    )
    assert Message.objects.count() == 2

    page.context.new_cdp_session(page).send("Input.insertText", {"text": "你好"})
    page.keyboard.press("Shift+Enter")
    assert Message.objects.count() == 2
    page.keyboard.press("Enter")
    expect(page.locator(".message-user")).to_have_count(2)


def test_a_draft_outlives_a_reload_and_goes_when_it_is_sent(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person)
    last_answer(page, "done")
    page.locator("#composer-text").fill("half a thought")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("half a thought")
    page.locator("#composer-text").press("Enter")
    expect(page.locator("#composer-text")).to_have_value("")


def test_an_edit_stands_beside_the_first_wording(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person, "First")
    last_answer(page, "done")
    page.locator(".message-user").get_by_role("button", name="Edit").click()
    page.locator(".message-form textarea").fill("Second")
    page.locator(".message-form").get_by_role("button", name="Send").click()
    expect(page.locator(".message-user .message-text")).to_have_text("Second")
    last_answer(page, "done")
    page.locator(".message-user").get_by_role("button", name="Previous version").click()
    expect(page.locator(".message-user .message-text")).to_have_text("First")


def test_what_was_remembered_is_corrected_beside_the_answer(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_write", content="The user likes dumplings")
    openai_stub.says("I'll remember.")
    begin(page, person, "I like dumplings")
    last_answer(page, "done")
    page.locator(".chip", has_text="The user likes dumplings").click()
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    page.locator("#side textarea").fill("The user loves dumplings")
    page.locator("#side").get_by_role("button", name="Save").click()
    expect(page.locator("#side .note-good")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()


def test_a_long_conversation_opens_at_its_end_and_is_paged_upwards(page: Page, person: User) -> None:
    conversation = make_conversation("Message 0", agent=person.agents.get(), user=person)
    parent = conversation.leaf
    for number in range(1, 2_000):
        role = "assistant" if number % 2 else "user"
        parent = Message.objects.create(
            conversation=conversation, parent=parent, role=role, content=f"Message {number}"
        )
    conversation.leaf = parent
    conversation.save()
    sign_in(page, person)
    page.goto(f"/conversations/{conversation.pk}/")

    expect(page.get_by_text("Message 1999")).to_be_in_viewport()
    assert page.locator(".message").count() == 40
    page.locator("#scroller").hover()
    page.mouse.wheel(0, -100_000)
    expect(page.get_by_text("Message 1930", exact=True)).to_be_attached()
    expect(page.get_by_text("Message 1960", exact=True)).to_be_in_viewport()


def test_a_deleted_conversation_can_be_brought_back(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person, "Keep me")
    last_answer(page, "done")
    page.get_by_role("button", name="This conversation").click()
    page.locator("#conversation-menu").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes, go on").click()
    expect(page.locator(".conversation")).to_have_count(0)
    page.locator(".toast-note").get_by_role("button", name="Undo").click()
    expect(page.locator(".message-user")).to_contain_text("Keep me")


@pytest.mark.parametrize("look", LOOKS)
def test_the_chat_fits_is_accessible_and_speaks_one_language(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    openai_stub.calls("memory_write", content="用户喜欢饺子")
    openai_stub.says("好的。\n\n```python\nprint('x' * 200)\n```")
    page = open_page(*look)
    sign_in(page, person)
    page.goto(f"/?agent={person.agents.get().pk}")
    assert_accessible(page)
    assert_fits(page)
    say(page, "我喜欢饺子")
    page.wait_for_url("**/conversations/*/")
    last_answer(page, "done")
    page.locator(".message-assistant .chip").first.click()
    expect(page.locator("#side [data-side-title]")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    if look[0] == "zh":
        # Names of tools and people, code and the language's own name are no interface.
        page.evaluate("document.querySelectorAll('.tool-call, .code, .segments').forEach((each) => each.remove())")
        words = re.findall(r"[A-Za-z]{3,}", page.locator("body").inner_text())
        assert " ".join(word for word in words if word not in {"Helper", "person"}) == ""
