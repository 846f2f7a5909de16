"""What a conversation keeps is chosen before its first message, and told when it is closed."""

import json

from playwright.sync_api import Page, expect

from chat import tasks
from chat.models import ExtractionJob
from memories.models import Memory
from tests.browser.chatting import say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.remembering import speak
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

SAID = "我住在里斯本，我哥哥 Rui 是护士。" + "这里的天气很好，我们常常在海边散步。" * 4
FACTS = {"memories": [{"content": "用户住在里斯本", "quote": "我住在里斯本"}], "summary": "聊了里斯本"}
words = speak("zh")


def assert_fine(page: Page) -> None:
    assert_accessible(page)
    assert_fits(page)


def choose_temporary(page: Page) -> None:
    """By the keys alone."""
    page.locator("#composer-text").press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("[name=mode][value=normal]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#mode-hint-temporary")).to_be_visible()
    expect(page.locator("#mode-hint-normal")).to_be_hidden()


def begin(page: Page, text: str) -> None:
    say(page, text)
    page.wait_for_url("**/conversations/*/")
    wait_for_answer(page)


def close(page: Page) -> None:
    page.get_by_role("button", name=words("This conversation")).click()
    page.locator("#close-form").get_by_role("button").click()
    running = words("It is being looked through for what is worth remembering.")
    expect(page.locator("#conversation-end")).to_contain_text(running)
    expect(page.locator("#conversation-menu")).to_be_hidden()


def test_a_temporary_conversation_and_the_end_of_a_usual_one(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub
) -> None:
    page, home = open_page("zh", 390, "dark"), f"/?agent={person.agents.get().pk}"
    openai_stub.always(Reply(text="好的。"))
    sign_in(page, person)
    page.goto(home)
    choose_temporary(page)
    assert_fine(page)
    begin(page, "别记住这个")
    expect(page.locator("#mode-badge")).to_have_text("临时对话")
    expect(page.locator("#mode-line")).to_contain_text("彻底删除")
    assert_fine(page)

    page.goto(home)
    begin(page, SAID)
    close(page)
    openai_stub.says(json.dumps(FACTS, ensure_ascii=False))
    tasks.extract_memories(ExtractionJob.objects.get().pk)
    chip = page.locator("#conversation-end .chip")
    expect(chip).to_contain_text("用户住在里斯本")
    assert_fine(page)
    chip.click()
    expect(page.locator("#side")).to_contain_text(Memory.objects.get().content)
    page.locator("#side [data-side-close]").click()
    say(page, "还有一件事")
    wait_for_answer(page, count=4)
    expect(page.locator("#conversation-end")).to_be_hidden()
