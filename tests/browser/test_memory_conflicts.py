"""Two people edit one memory: the second is refused, sees both versions, settles them and saves; no text is lost."""

import pytest
from playwright.sync_api import Page, expect

from memories.models import Memory
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.remembering import dialog_of, open_dialog, open_list, speak
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

LANGUAGES = ["en", "zh"]
BEFORE, THEIRS = "The user likes tea", "The user likes black tea in the morning"
MINE, BOTH = "The user likes tea with milk", "The user likes black tea with milk in the morning"


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def admin(site: str) -> User:
    return make_user(username="admin", is_staff=True)


@pytest.fixture
def memory(mei: User) -> Memory:
    return make_memory(make_agent(owner=mei, name="Helper"), BEFORE, title="Drinks")


def assert_both_are_kept(memory: Memory, mei: User, admin: User) -> None:
    """What was saved is what both wrote, and each version stands in the history with who changed it."""
    memory.refresh_from_db()
    assert (memory.content, memory.title, memory.tags) == (BOTH, "Hot drinks", ["morning"])
    edits = [(edit.user, edit.before["content"]) for edit in memory.revisions.filter(action="edited").order_by("pk")]
    assert edits == [(mei, BEFORE), (admin, THEIRS)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_people_settle_their_edits_in_two_browsers_by_the_keyboard(
    open_page: OpenPage, mei: User, admin: User, memory: Memory, language: str
) -> None:
    say, first, second = speak(language), open_page(language), open_page(language)
    open_dialog(first, mei, memory)
    open_dialog(second, admin, memory)
    type_into(first, say("content").capitalize(), THEIRS)
    type_into(first, say("tags").capitalize(), "morning")
    first.keyboard.press("Control+Enter")
    expect(first.locator("#toasts")).to_contain_text(say("Saved."))

    type_into(second, say("content").capitalize(), MINE)
    type_into(second, say("title").capitalize(), "Hot drinks")
    second.keyboard.press("Control+Enter")
    dialog = dialog_of(second)
    expect(dialog.get_by_role("alert")).to_be_focused()
    expect(dialog.get_by_role("alert")).to_contain_text("mei")
    expect(dialog.get_by_role("alert")).to_contain_text(
        say("Nothing you typed is lost: compare, choose, then save again.")
    )
    rows = dialog.locator(".versions tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text(say("both changed"))
    expect(rows.nth(0).locator("td").nth(0).locator("ins").first).to_contain_text("black")
    expect(rows.nth(0).locator("td").nth(1).locator("ins")).to_contain_text("with milk")
    assert_accessible(second)
    assert_fits(second)

    choose(second, "theirs", THEIRS)
    choose(second, "yours", MINE)
    type_into(second, say("content").capitalize(), BOTH)
    second.keyboard.press("Control+Enter")
    expect(second.locator("#toasts")).to_contain_text(say("Saved."))
    expect(second.locator("#side textarea")).to_have_value(BOTH)
    expect(second.locator(f"#memory-{memory.pk}-edit")).to_be_focused()
    assert_both_are_kept(memory, mei, admin)


def type_into(page: Page, label: str, text: str) -> None:
    dialog_of(page).get_by_label(label, exact=True).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def choose(page: Page, side: str, text: str) -> None:
    """Press the button of one side by the keyboard; the content below is that side's then."""
    page.locator(f"#take-{side}-content").press("Enter")
    expect(dialog_of(page).locator("[name=content]")).to_have_value(text)
    expect(page.locator(f"#take-{side}-content")).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_is_settled_with_plain_forms_where_there_are_no_scripts(
    open_page: OpenPage, mei: User, admin: User, memory: Memory, language: str
) -> None:
    say = speak(language)
    first, second = (open_page(language, scripts=False) for _browser in range(2))
    for page, user in ((first, mei), (second, admin)):
        sign_in(page, user)
        page.goto(f"/memories/{memory.pk}/")
        page.locator(f"#memory-{memory.pk}-edit").click()
    first.locator("[name=content]").fill(THEIRS)
    first.locator("[name=tags]").fill("morning")
    first.locator("#memory-whole-save").click()
    expect(first.get_by_text(say("Saved."))).to_be_visible()

    second.locator("[name=content]").fill(MINE)
    second.locator("[name=title]").fill("Hot drinks")
    second.locator("#memory-whole-save").click()
    expect(second.get_by_role("alert")).to_contain_text("mei")
    expect(second.locator("[name=content]")).to_have_value(MINE)
    expect(second.locator(".versions tbody tr")).to_have_count(3)
    expect(second.locator(".versions ins").first).to_contain_text("black")
    second.locator("#take-theirs-content").click()
    expect(second.locator("[name=content]")).to_have_value(THEIRS)
    second.locator("#take-yours-content").click()
    expect(second.locator("[name=content]")).to_have_value(MINE)
    second.locator("[name=content]").fill(BOTH)
    second.locator("#memory-whole-save").click()
    expect(second.get_by_text(say("Saved."))).to_be_visible()
    assert_both_are_kept(memory, mei, admin)


def test_the_text_alone_is_refused_and_settled_in_the_drawer_too(
    open_page: OpenPage, mei: User, admin: User, memory: Memory
) -> None:
    first, second = open_page(), open_page(width=390)
    for page, user in ((first, mei), (second, admin)):
        open_list(page, user)
        page.locator(f"#memory-{memory.pk} a.memory-text").click()
        page.locator("#side textarea").fill(THEIRS if page is first else MINE)
    first.locator(f"#memory-{memory.pk}-save").click()
    expect(first.locator("#toasts")).to_contain_text("Saved.")
    second.locator(f"#memory-{memory.pk}-save").click()
    expect(second.locator("#side [role=alert]")).to_contain_text("Nothing you typed is lost")
    expect(second.locator("#side textarea")).to_have_value(MINE)
    assert_accessible(second)
    assert_fits(second)
    second.locator("#side textarea").fill(BOTH)
    second.locator(f"#memory-{memory.pk}-save").click()
    expect(second.locator("#toasts")).to_contain_text("Saved.")
    memory.refresh_from_db()
    assert memory.content == BOTH
