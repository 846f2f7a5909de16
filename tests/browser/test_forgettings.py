"""Everything about a topic is forgotten, in the panel and in a chat, by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from chat.models import Forgetting, Message
from memories.models import Memory
from tests.browser.chatting import begin, say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, press_in_menu, sign_in
from tests.factories import make_agent, make_memory
from tests.openai_stub import OpenAIStub, Reply, calls
from xiajiao.models import User

CAT, FOOD, CITY = "The user's cat is called Quillimax.", "Quillimax eats trout only.", "The user lives in Hangzhou."
LOOKS = [("en", 1280, "light"), ("zh", 1280, "dark"), ("en", 360, "dark"), ("zh", 360, "light")]
WORDS = {
    "en": {
        "more": "More",
        "forget": "Forget",
        "title": "Forget for good",
        "gone": "2 memories are gone for good",
        "none": "Nothing is",
    },
    "zh": {
        "more": "更多",
        "forget": "忘记",
        "title": "彻底忘记",
        "gone": "已彻底忘记 2 条记忆",
        "none": "什么都没有勾选",
    },
}


def remember(person: User) -> None:
    agent = make_agent(owner=person, name="Chef")
    for text in (CAT, FOOD, CITY):
        make_memory(agent, text, user=person)


def ask_to_forget(page: Page, person: User, stub: OpenAIStub) -> None:
    stub.answers(calls(("memory_write", {"content": CAT})), Reply(text="Noted."))
    begin(page, person, "My cat is called Quillimax")
    wait_for_answer(page)
    stub.answers(calls(("memory_forget", {"about": "Quillimax"})), Reply(text="Decide below."))
    say(page, "Forget everything about Quillimax")


@pytest.mark.parametrize("look", LOOKS)
def test_a_topic_is_forgotten_by_keyboard_and_leaves_a_receipt(
    open_page: OpenPage, person: User, look: tuple[str, int, str]
) -> None:
    words = WORDS[look[0]]
    remember(person)
    page = open_page(*look)
    sign_in(page, person)
    page.goto("/memories/")
    press_in_menu(page, words["more"], words["forget"])
    expect(page.get_by_role("heading", level=1)).to_have_text(words["title"])
    expect(page.locator("#id_topic")).to_be_focused()
    assert_accessible(page)
    assert_fits(page)
    page.keyboard.type("Quillimax")
    page.keyboard.press("Enter")

    ticks = page.locator("input[name=memory]:checked")
    expect(ticks).to_have_count(2)
    assert_accessible(page)
    assert_fits(page)
    ticks.first.press("Space")
    ticks.first.press("Space")
    expect(ticks).to_have_count(0)
    page.locator("form.forgetting .btn[data-variant=destructive]").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(words["none"])
    expect(ticks).to_have_count(2)
    page.locator("form.forgetting .btn[data-variant=destructive]").press("Enter")

    expect(page.get_by_role("status").first).to_contain_text(words["gone"])
    expect(page.get_by_text("Quillimax")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)
    assert [memory.content for memory in Memory.objects.all()] == [CITY]
    page.goto("/memories/forget/")
    expect(page.locator(".receipt-row")).to_have_count(1)
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize("look", LOOKS[:3])
def test_an_agent_proposes_and_the_person_decides_in_the_chat(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    page = open_page(*look)
    ask_to_forget(page, person, openai_stub)
    chip = page.locator("[data-forgetting=proposed]")
    expect(chip).to_be_visible()
    assert Memory.objects.exists()
    chip.press("Enter")
    expect(page.locator("#side input[name=memory]")).to_be_checked()
    assert_accessible(page)
    assert_fits(page)
    page.locator("#side input[name=all_messages]").press("Space")
    page.locator("#side .btn[data-variant=destructive]").press("Enter")

    expect(page.locator("#side .receipt")).to_be_visible()
    expect(page.locator("[data-forgetting=done]")).to_have_count(1)
    expect(page.locator("#thread .message-removed").first).to_be_visible()
    expect(page.locator("#thread").get_by_text("Quillimax")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)
    assert not Memory.objects.exists()
    assert not Message.objects.filter(content__contains="Quillimax").exists()


def test_a_proposal_is_turned_down(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    ask_to_forget(page, person, openai_stub)
    page.locator("[data-forgetting=proposed]").click()
    page.locator("#side").get_by_role("button", name="Forget nothing").press("Enter")

    expect(page.locator("[data-forgetting=dismissed]")).to_be_visible()
    assert Forgetting.objects.get().state == "dismissed"
    assert Memory.objects.exists()
