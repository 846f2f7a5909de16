"""The drawer and the dialog, where answers come late or in another order than they were asked for."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from memories.models import Agent, Memory
from tests.browser.pages import press_in_menu
from tests.browser.remembering import dialog_of, open_list
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei", is_staff=True)


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


def text_of(page: Page, memory: Memory) -> str:
    return f"#memory-{memory.pk} a.memory-text"


class Held:
    """What is asked of an address waits until it is let go."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route))

    def wait(self) -> None:
        for _ in range(6000):
            if self.routes:
                return
            self.page.wait_for_timeout(10)
        raise AssertionError("It was never asked for.")

    def let_go(self) -> None:
        """And wait until htmx is done with the answer, or has no request to make."""
        self.page.evaluate(
            "() => { window.isDone = new Promise((done) =>"
            " document.addEventListener('htmx:finally:request', () => done(true), { once: true })); }"
        )
        self.routes.pop(0).continue_()
        assert self.page.evaluate("window.isDone")


def test_a_drawer_that_was_closed_is_not_opened_by_a_late_answer(page: Page, mei: User, agent: Agent) -> None:
    first, second = make_memory(agent, "The user likes tea"), make_memory(agent, "The user has a parrot")
    open_list(page, mei)
    held = Held(page, f"**/memories/{second.pk}/")
    page.locator(text_of(page, first)).press("Enter")
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    page.locator(text_of(page, second)).press("Enter")
    held.wait()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()
    held.let_go()

    expect(page.locator("#side")).to_be_empty()
    page.locator(text_of(page, first)).press("Enter")
    expect(page.locator("#side textarea")).to_have_value("The user likes tea")


def test_escape_stops_a_drawer_that_is_about_to_open(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_list(page, mei)
    held = Held(page, f"**/memories/{memory.pk}/")
    page.locator(text_of(page, memory)).press("Enter")
    held.wait()
    page.keyboard.press("Escape")
    held.let_go()
    expect(page.locator("#side")).to_be_empty()
    expect(page.locator(text_of(page, memory))).to_be_focused()


def test_the_drawer_shows_what_was_asked_for_last(page: Page, mei: User, agent: Agent) -> None:
    first, second = make_memory(agent, "The user likes tea"), make_memory(agent, "The user has a parrot")
    open_list(page, mei)
    held = Held(page, f"**/memories/{first.pk}/")
    page.locator(text_of(page, first)).click()
    held.wait()
    page.locator(text_of(page, second)).click()
    expect(page.locator("#side textarea")).to_have_value("The user has a parrot")
    held.let_go()
    expect(page.locator("#side textarea")).to_have_value("The user has a parrot")


def test_a_dialog_that_was_closed_is_not_opened_by_a_late_answer(page: Page, mei: User, agent: Agent) -> None:
    make_memory(agent, "The user likes tea")
    open_list(page, mei)
    held = Held(page, "**/memories/types/add/")
    press_in_menu(page, "More", "Types")
    dialog_of(page).get_by_role("link", name="Add a type").press("Enter")
    held.wait()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More", exact=True)).to_be_focused()
    held.let_go()
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")


def test_what_is_typed_in_the_drawer_is_not_thrown_away_without_a_question(page: Page, mei: User, agent: Agent) -> None:
    first, second = make_memory(agent, "The user likes tea"), make_memory(agent, "The user has a parrot")
    open_list(page, mei)
    page.locator(text_of(page, first)).click()
    content = page.locator("#side textarea")
    content.fill("The user likes green tea")
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_contain_text("Throw away what you typed?")
    page.keyboard.press("Escape")
    expect(content).to_be_focused()
    page.locator(text_of(page, second)).click()
    page.locator("#confirm").get_by_role("button", name="Cancel").click()
    expect(content).to_have_value("The user likes green tea")

    page.locator(text_of(page, second)).click()
    page.locator("#confirm").get_by_role("button", name="Yes").click()
    expect(content).to_have_value("The user has a parrot")
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()


def test_the_menu_of_a_choice_stays_open_while_the_list_comes_anew(page: Page, mei: User, agent: Agent) -> None:
    first, second = make_memory(agent, "The user likes tea"), make_memory(agent, "The user has a parrot")
    open_list(page, mei)
    held = Held(page, re.compile(r"/memories/\?"))
    page.locator(f"#memory-{first.pk} .memory-box input").check()
    page.locator("#bulk-form").get_by_role("button", name="Pin", exact=True).click()
    held.wait()
    page.locator(f"#memory-{second.pk} .memory-box input").check()
    page.locator("#bulk-form").get_by_role("button", name="Kind").press("Enter")
    menu = page.locator("#bulk-kinds")
    menu.get_by_role("button", name="procedural").focus()
    held.let_go()
    expect(page.locator(f"#memory-{first.pk} .tag", has_text="pinned")).to_be_visible()
    expect(menu.get_by_role("button", name="procedural")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#toasts")).to_contain_text("is procedural now")
    second.refresh_from_db()
    assert second.category == "procedural"
