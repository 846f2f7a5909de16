"""A memory is forgotten for good: what would go, the messages that may go along, and the receipt."""

import pytest
from playwright.sync_api import Page, expect

from chat.models import Message
from memories.models import Memory
from tests.browser.chatting import begin, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

BOAT = "The user's boat is called Quorbantine."
LOOKS = [("en", 1280, "light"), ("zh", 1280, "dark"), ("en", 360, "dark"), ("zh", 360, "light")]
WORDS = {"en": ("Forget for good", "Forgotten"), "zh": ("彻底忘记", "已忘记")}


def remember(page: Page, person: User, stub: OpenAIStub) -> None:
    stub.calls("memory_write", content=BOAT)
    stub.says("Noted.")
    begin(page, person, "My boat is called Quorbantine")
    wait_for_answer(page)
    page.goto("/memories/")
    page.locator(".memory-text").first.click()


@pytest.mark.parametrize("look", LOOKS)
def test_a_memory_is_forgotten_with_the_message_that_said_it(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    title, done = WORDS[look[0]]
    page = open_page(*look)
    remember(page, person, openai_stub)
    page.locator("#side .memory-forget a").press("Enter")
    expect(page.locator("#side [data-side-title]")).to_contain_text(title)
    expect(page.locator("#side mark").first).to_contain_text("Quorbantine")
    assert_accessible(page)
    assert_fits(page)
    page.locator("#side .forget-messages input").first.press("Space")
    page.locator("#side form .btn[data-variant=destructive]").press("Enter")
    expect(page.locator("#side [data-side-title]")).to_have_text(done)
    expect(page.locator(".memory-text")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)

    assert not Memory.objects.exists()
    message = Message.objects.get(role="user")
    assert message.removed_at is not None
    page.goto(f"/conversations/{message.conversation_id}/")
    expect(page.locator(".message-removed")).to_be_visible()
    expect(page.get_by_text("Quorbantine")).to_have_count(0)
    assert_accessible(page)


def test_it_can_be_left(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    remember(page, person, openai_stub)
    page.locator("#side .memory-forget a").press("Enter")
    page.locator("#side").get_by_role("link", name="Cancel").press("Enter")
    expect(page.locator("#side .memory-sources mark")).to_be_visible()

    assert Memory.objects.exists()
