"""Memories that lose what they came from: the person is asked at once, and answers when they like."""

import pytest
from playwright.sync_api import Page, expect

from chat.models import SourceLoss
from memories.models import Agent, Memory
from tests.browser.chatting import begin, last_answer, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.openai_stub import OpenAIStub, calls
from xiajiao.models import User

CAT, TEA = "The user has a cat named Milo.", "The user drinks oolong tea."
WORDS = {
    "en": ("2 memories came from what you changed", "Keep", "Switch off", "Delete", "Undo"),
    "zh": ("有 2 条记忆来自你修改的内容", "保留", "停用", "删除", "撤销"),
}
LOOKS = [("en", 1280, "light"), ("zh", 1280, "dark"), ("en", 360, "dark"), ("zh", 360, "light")]


def tell(page: Page, person: User, stub: OpenAIStub) -> None:
    """A message of which two memories are made."""
    stub.answers(calls(*[("memory_write", {"content": text}) for text in (CAT, TEA)]))
    stub.says("Noted.")
    begin(page, person, "I have a cat named Milo and drink oolong tea")
    wait_for_answer(page)


def edit(page: Page, stub: OpenAIStub, text: str = "Never mind") -> None:
    stub.says("Fine.")
    page.locator(".message-user [data-edits]").last.press("Enter")
    page.locator(".message-form textarea").fill(text)
    page.locator(".message-form .btn").last.press("Enter")
    expect(last_answer(page)).to_contain_text("Fine.")
    wait_for_answer(page)


def state(content: str) -> str:
    memory = Memory.objects.get(content=content)
    return "deleted" if memory.deleted_at else "on" if memory.enabled else "off"


@pytest.mark.parametrize("look", LOOKS)
def test_after_an_edit_each_memory_is_asked_about_in_the_thread(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    title, keep, off, _delete, undo = WORDS[look[0]]
    page = open_page(*look)
    tell(page, person, openai_stub)
    edit(page, openai_stub)
    panel = page.locator("#source-losses")
    expect(panel).to_contain_text(title)
    expect(panel.locator(".loss")).to_have_count(2)
    assert_accessible(page)
    assert_fits(page)

    panel.locator(".loss", has_text=TEA).get_by_role("button", name=off).click()
    expect(panel.locator(".loss")).to_have_count(1)
    assert (state(CAT), state(TEA)) == ("on", "off")
    page.locator("#toasts").get_by_role("button", name=undo).click()
    expect(panel.locator(".loss")).to_have_count(2)
    assert (state(CAT), state(TEA)) == ("on", "on")
    panel.locator(".loss", has_text=CAT).get_by_role("button", name=keep).click()
    expect(panel.locator(".loss")).to_have_count(1)


def test_the_keyboard_answers_one_after_the_other(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    tell(page, person, openai_stub)
    edit(page, openai_stub)
    first = page.locator("#loss-1-delete")
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".loss")).to_have_count(1)
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".loss")).to_have_count(0)

    assert (state(CAT), state(TEA)) == ("deleted", "deleted")


@pytest.mark.parametrize(
    ("button", "expected"), [("Keep all", "on"), ("Switch all off", "off"), ("Delete all", "deleted")]
)
def test_all_are_answered_at_once(
    page: Page, person: User, openai_stub: OpenAIStub, button: str, expected: str
) -> None:
    tell(page, person, openai_stub)
    edit(page, openai_stub)
    page.get_by_role("button", name=button).press("Enter")
    expect(page.locator("#source-losses .panel")).to_have_count(0)

    assert (state(CAT), state(TEA)) == (expected, expected)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_not_answered_waits_on_the_memories_page(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, language: str
) -> None:
    page = open_page(language)
    tell(page, person, openai_stub)
    edit(page, openai_stub)
    page.goto("/memories/")
    notice = page.locator(".loss-notice")
    expect(notice).to_contain_text("2")
    assert_accessible(page)
    notice.get_by_role("link").press("Enter")
    expect(page).to_have_url("/losses/")
    assert_accessible(page)
    page.locator("#loss-all-keep").press("Enter")
    expect(page.locator(".loss")).to_have_count(0)
    page.goto("/memories/")
    expect(page.locator(".memory-text").first).to_be_visible()
    expect(notice).to_have_count(0)

    assert (state(CAT), state(TEA)) == ("on", "on")


def test_after_another_answer_nothing_is_asked_where_it_notes_the_same(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    tell(page, person, openai_stub)
    openai_stub.answers(calls(("memory_write", {"content": CAT})))
    openai_stub.says("Noted again.", rate=20)
    page.get_by_role("button", name="Another answer").press("Enter")
    expect(page.locator("#source-losses .panel")).to_have_count(0)
    expect(last_answer(page)).to_contain_text("Noted again.")
    wait_for_answer(page)

    expect(page.locator(".loss")).to_have_count(1)
    expect(page.locator(".loss")).to_contain_text(TEA)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_after_a_conversation_is_deleted_the_question_is_asked_on_the_next_page(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, language: str
) -> None:
    page = open_page(language)
    tell(page, person, openai_stub)
    page.locator("[popovertarget=conversation-menu]").click()
    page.locator("#conversation-menu form button").last.click()
    page.locator("#confirm button[value=yes]").click()
    panel = page.locator("#source-losses")
    expect(panel.locator(".loss")).to_have_count(2)
    assert_accessible(page)
    panel.locator("#loss-all-disable").click()
    expect(panel.locator(".loss")).to_have_count(0)

    assert (state(CAT), state(TEA)) == ("off", "off")


def test_an_agent_that_shall_forget_by_itself_asks_nothing(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    Agent.objects.update(when_source_goes="disable")
    tell(page, person, openai_stub)
    edit(page, openai_stub)
    expect(page.locator("#source-losses .panel")).to_have_count(0)

    assert (state(CAT), state(TEA)) == ("off", "off")
    assert not SourceLoss.objects.open().exists()


def test_the_setting_stands_in_the_agents_form(page: Page, person: User) -> None:
    sign_in(page, person)
    page.goto(f"/agents/{person.agents.get().pk}/")
    page.get_by_label("when what was said is changed").select_option("delete")
    page.get_by_role("button", name="Save").click()

    expect(page).to_have_url("/agents/")
    assert person.agents.get().when_source_goes == "delete"
