"""Adding and editing in the dialog, two people at one memory, and going back; mostly by the keyboard alone."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from memories import changes
from memories.models import Agent, Memory
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible
from tests.browser.remembering import dialog_of, open_dialog, open_list, person, speak
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

in_both_languages = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


@in_both_languages
def test_a_memory_is_added_by_the_keyboard_alone(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    make_memory(agent, "The user likes tea")
    open_list(page, mei)
    opener = page.get_by_role("link", name=say("Add a memory"))
    opener.press("Enter")
    expect(dialog_of(page).get_by_label(say("content").capitalize())).to_be_focused()
    assert_accessible(page)
    page.keyboard.type("用户喜欢喝绿茶")
    page.keyboard.press("Control+Enter")
    expect(dialog_of(page).get_by_role("status")).to_be_focused()
    expect(page.locator("#memory-results")).to_contain_text("用户喜欢喝绿茶")
    assert_accessible(page)
    dialog_of(page).get_by_role("button", name=say("Done")).press("Enter")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(opener).to_be_focused()


@in_both_languages
def test_the_focus_stays_in_the_dialog_and_comes_back_in_the_end(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, memory = open_page(language), make_memory(agent, "The user likes tea")
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").press("Enter")
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    page.locator(f"#memory-{memory.pk}-edit").press("Enter")
    expect(dialog_of(page).locator("[name=content]")).to_be_focused()
    for key in ("Tab", "Shift+Tab"):
        seen = {walk(page, key) for _step in range(40)}
        # The body: where a browser goes from the last field on to its own buttons.
        assert seen <= {"in the dialog", "BODY"}
        assert "in the dialog" in seen
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(page.locator(f"#memory-{memory.pk}-edit")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()
    expect(page.locator(f"#memory-{memory.pk} a.memory-text")).to_be_focused()


def walk(page: Page, key: str) -> str:
    """Where the focus is then."""
    page.keyboard.press(key)
    script = "() => document.activeElement.closest('#dialog') ? 'in the dialog' : document.activeElement.tagName"
    return str(page.evaluate(script))


@in_both_languages
def test_what_the_gate_did_is_undone_from_the_dialog(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say, old = open_page(language), speak(language), make_memory(agent, "The user likes tea")
    open_list(page, mei)
    page.get_by_role("link", name=say("Add a memory")).click()
    dialog_of(page).locator("[name=content]").fill("The user has a parrot")
    dialog_of(page).get_by_role("button", name=say("Save")).click()
    dialog_of(page).get_by_role("button", name=say("Undo")).press("Enter")

    expect(page.locator("#toasts")).to_contain_text(say("It is taken back."))
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    assert list(Memory.objects.active()) == [old]


def test_the_category_follows_the_type_until_one_is_chosen(page: Page, mei: User, agent: Agent) -> None:
    open_list(page, mei)
    page.get_by_role("link", name="Write one yourself").click()
    dialog = dialog_of(page)
    dialog.get_by_role("radio", name="Feedback").check()
    expect(dialog.get_by_label("How you want things done")).to_be_checked()
    dialog.get_by_label("What happened, and when").check()
    dialog.get_by_role("radio", name="Project knowledge").check()
    expect(dialog.get_by_label("What happened, and when")).to_be_checked()


@in_both_languages
def test_an_edit_in_the_dialog_shows_everywhere_and_gives_the_focus_back(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, memory = open_page(language), make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    title = dialog_of(page).get_by_label(speak(language)("title").capitalize(), exact=True)
    title.focus()
    page.keyboard.type("Drinks")
    page.keyboard.press("Enter")

    expect(page.locator("#side .memory-title")).to_have_text("Drinks")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Drinks")
    expect(page.locator(f"#memory-{memory.pk}-edit")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()


@in_both_languages
def test_escape_closes_what_is_untouched_and_asks_before_it_throws_away(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say, memory = open_page(language), speak(language), make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(page.locator("#side")).to_be_visible()

    page.keyboard.press("Enter")
    content = dialog_of(page).locator("[name=content]")
    content.fill("The user likes green tea")
    for _try in range(3):
        page.keyboard.press("Escape")
        expect(page.locator("#confirm")).to_contain_text(say("Throw away what you typed?"))
        page.keyboard.press("Escape")
        expect(content).to_have_value("The user likes green tea")
    page.locator("#dialog-body [data-closes]").first.click()
    page.locator("#confirm").get_by_role("button", name=say("Yes, go on")).click()
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    memory.refresh_from_db()
    assert memory.content == "The user likes tea"


def test_what_is_typed_in_the_drawer_goes_on_into_the_dialog(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    page.locator("#side").get_by_label("Content").fill("The user likes green tea")
    page.get_by_role("link", name="Edit all fields").click()
    expect(dialog_of(page).get_by_label("Content")).to_have_value("The user likes green tea")
    page.keyboard.press("Escape")
    expect(page.locator("#confirm-question")).to_be_visible()


@pytest.mark.parametrize(("language", "told"), [("en", "line 2, column 2: a comma"), ("zh", "第 2 行，第 2 列")])
def test_wrong_metadata_is_told_with_its_place_and_stays_as_typed(
    open_page: OpenPage, mei: User, agent: Agent, language: str, told: str
) -> None:
    page, say, memory = open_page(language), speak(language), make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    dialog = dialog_of(page)
    dialog.get_by_text(say("Description, time and metadata")).press("Enter")
    field = dialog.get_by_label(say("metadata").capitalize())
    field.fill('{"since": 2026\n "project": "虾饺"}')
    field.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text(told)
    expect(field).to_be_focused()
    expect(field).to_have_value('{"since": 2026\n "project": "虾饺"}')
    assert_accessible(page)

    field.fill('{"since": 2026, "project": "虾饺"}')
    field.press("Control+Enter")
    expect(page.locator("#side .memory-metadata")).to_have_text('{\n  "since": 2026,\n  "project": "虾饺"\n}')


@in_both_languages
def test_a_memory_deleted_meanwhile_is_brought_back_with_what_is_typed(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say, memory = open_page(language), speak(language), make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    changes.delete(memory, person(agent))
    dialog = dialog_of(page)
    dialog.locator("[name=content]").fill("The user likes green tea")
    dialog.locator("[name=content]").press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text({"en": "was deleted meanwhile", "zh": "已被删除"}[language])
    dialog.get_by_role("button", name=say("Bring it back with this text")).click()

    expect(page.locator("#toasts")).to_contain_text(say("Saved."))
    memory.refresh_from_db()
    assert (memory.is_active, memory.content) == (True, "The user likes green tea")


def test_what_was_typed_in_the_drawer_for_a_memory_that_is_gone_is_kept(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    page.locator("#side").get_by_label("Content").fill("The user likes green tea")
    memory.delete()
    page.locator("#side").get_by_role("button", name="Save").click()

    expect(dialog_of(page).get_by_role("alert")).to_contain_text("gone for good")
    dialog_of(page).get_by_role("button", name="Save").click()
    expect(dialog_of(page)).to_contain_text("Remembered.")
    assert Memory.objects.get().content == "The user likes green tea"


def test_what_is_typed_outlives_the_session(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    Session.objects.all().delete()
    content = dialog_of(page).locator("[name=content]")
    content.fill("The user likes green tea")
    content.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("You are signed out.")
    with page.expect_popup() as opened:
        page.locator("#toasts").get_by_role("link", name="Sign in").click()
    opened.value.get_by_label("Username").fill("mei")
    opened.value.get_by_label("Password").fill("dumplings-2026")
    opened.value.get_by_role("button", name="Sign in").click()
    expect(opened.value.get_by_role("heading", name="New conversation")).to_be_visible()
    opened.value.close()
    content.press("Control+Enter")

    expect(page.locator("#toasts")).to_contain_text("Saved.")
    memory.refresh_from_db()
    assert memory.content == "The user likes green tea"


@in_both_languages
def test_what_is_wrong_with_a_field_is_seen_over_the_foot_of_the_dialog(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page = open_page(language, 390)
    open_dialog(page, mei, make_memory(agent, "The user likes tea"))
    dialog = dialog_of(page)
    dialog.locator("details > summary").first.press("Enter")
    dialog.locator("[name=metadata]").fill('{"a": }')
    page.keyboard.press("Control+Enter")
    expect(dialog.locator("[name=metadata]")).to_be_focused()
    words = dialog.locator(".field[data-invalid] [role=alert]").bounding_box()
    foot = dialog.locator("form > footer").bounding_box()
    assert words
    assert foot
    assert words["y"] + words["height"] <= foot["y"]
