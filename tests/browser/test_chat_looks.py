"""The chat page in its looks: it fits, is accessible, and speaks one language."""

import re

import pytest
from playwright.sync_api import Page, expect

from memories.models import Memory
from tests.browser.chatting import begin, last_answer, say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

LOOKS = [("zh", 1280, "light"), ("zh", 390, "dark"), ("en", 1280, "dark"), ("en", 390, "light")]
# Names of people and products, and what a model says, are no words of the interface.
NAMES = {"Helper", "person", "stub", "model", "Python", "AWS", "PostgreSQL", "Vue", "English", "Enter", "Shift", "Ctrl"}
HELD = "[aria-hidden=true], .tool-call, .code, .prompt-sent pre, .message-error-detail, noscript"


def english_words(page: Page) -> list[str]:
    """Of all that a person may come to see here, folded or behind a button, and what a screen reader says."""
    page.evaluate("held => document.querySelectorAll(held).forEach((each) => each.remove())", HELD)
    text = page.evaluate(
        """() => [document.body.textContent, document.title, ...[...document.querySelectorAll("*")].flatMap((element) =>
            ["aria-label", "placeholder", "title", "data-finished"].map((name) => element.getAttribute(name) ?? ""),
        )].join(" ")"""
    )
    return [word for word in re.findall(r"[A-Za-z]{3,}", text) if word not in NAMES]


def check(page: Page, language: str) -> None:
    assert_accessible(page)
    assert_fits(page)
    assert language != "zh" or english_words(page) == []


@pytest.mark.parametrize("look", LOOKS)
def test_the_first_page(open_page: OpenPage, person: User, look: tuple[str, int, str]) -> None:
    page = open_page(*look)
    sign_in(page, person)
    page.goto(f"/?agent={person.agents.get().pk}")
    check(page, look[0])


@pytest.mark.parametrize("look", LOOKS)
def test_an_answer_with_all_its_parts(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    openai_stub.calls("memory_write", content="用户喜欢饺子")
    openai_stub.says("好的。\n\n```python\nprint('x' * 200)\n```", reasoning="想一想。")
    page = open_page(*look)
    begin(page, person, "我喜欢饺子")
    wait_for_answer(page)
    page.locator(".tool-call summary").click()
    page.locator(".message-reasoning summary").click()
    page.get_by_role("button", name="这条回答知道什么" if look[0] == "zh" else "What this answer knew").click()
    expect(page.locator("#side [data-side-title]")).to_be_visible()
    check(page, look[0])


@pytest.mark.parametrize("look", LOOKS)
def test_an_answer_that_is_being_written_and_one_that_failed(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, look: tuple[str, int, str]
) -> None:
    openai_stub.answers(Reply(status=401, error={"message": "Incorrect key"}), Reply(text="饺子" * 400, rate=4))
    page = open_page(*look)
    begin(page, person, "你好")
    wait_for_answer(page, "error")
    check(page, look[0])
    say(page, "再来")
    expect(last_answer(page)).to_contain_text("饺子")
    check(page, look[0])


def test_what_was_remembered_is_corrected_beside_the_answer(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_write", content="The user likes dumplings")
    openai_stub.says("I'll remember.")
    begin(page, person, "I like dumplings")
    wait_for_answer(page)
    page.locator(".chip", has_text="The user likes dumplings").click()
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    page.locator("#side textarea[name=content]").fill("The user loves dumplings")
    page.locator("#side").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("#side")).to_be_empty()
    assert Memory.objects.get().content == "The user loves dumplings"
