"""Adding and editing in the dialog, two people at one memory, and going back; mostly by the keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from memories import changes
from memories.models import Agent, Memory
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible
from tests.browser.remembering import dialog_of, open_dialog, open_list, person
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

ZH, EN = "zh", "en"
WORDS = {
    EN: {"add": "Add a memory", "content": "Content", "done": "Done", "edit": "Edit all fields", "title": "Title"},
    ZH: {"add": "添加记忆", "content": "内容", "done": "完成", "edit": "编辑 全部字段", "title": "标题"},
}


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


@pytest.mark.parametrize("language", [EN, ZH])
def test_a_memory_is_added_by_the_keyboard_alone(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, words = open_page(language), WORDS[language]
    make_memory(agent, "The user likes tea")
    open_list(page, mei)
    opener = page.get_by_role("link", name=words["add"])
    opener.press("Enter")
    expect(dialog_of(page).get_by_label(words["content"])).to_be_focused()
    assert_accessible(page)
    page.keyboard.type("用户喜欢喝绿茶")
    page.keyboard.press("Control+Enter")
    expect(dialog_of(page).get_by_role("status")).to_be_focused()
    expect(page.locator("#memory-results")).to_contain_text("用户喜欢喝绿茶")
    assert_accessible(page)
    dialog_of(page).get_by_role("button", name=words["done"]).press("Enter")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(opener).to_be_focused()


def test_what_the_gate_did_is_undone_from_the_dialog(page: Page, mei: User, agent: Agent) -> None:
    old = make_memory(agent, "The user likes tea")
    open_list(page, mei)
    page.get_by_role("link", name="Add a memory").click()
    dialog_of(page).get_by_label("Content").fill("The user has a parrot")
    dialog_of(page).get_by_role("button", name="Save").click()
    dialog_of(page).get_by_role("button", name="Undo").press("Enter")

    expect(page.locator("#toasts")).to_contain_text("It is taken back.")
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


@pytest.mark.parametrize("language", [EN, ZH])
def test_an_edit_in_the_dialog_shows_everywhere_and_gives_the_focus_back(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, memory = open_page(language), make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    title = dialog_of(page).get_by_label(WORDS[language]["title"], exact=True)
    title.focus()
    page.keyboard.type("Drinks")
    page.keyboard.press("Enter")

    expect(page.locator("#side .memory-title")).to_have_text("Drinks")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Drinks")
    expect(page.locator(f"#memory-{memory.pk}-edit")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()


def test_escape_closes_what_is_untouched_and_asks_before_it_throws_away(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(page.locator("#side")).to_be_visible()

    page.keyboard.press("Enter")
    content = dialog_of(page).get_by_label("Content")
    content.fill("The user likes green tea")
    for _try in range(3):
        page.keyboard.press("Escape")
        expect(page.locator("#confirm")).to_contain_text("Throw away what you typed?")
        page.keyboard.press("Escape")
        expect(content).to_have_value("The user likes green tea")
    page.locator("#dialog-body [data-closes]").first.click()
    page.locator("#confirm").get_by_role("button", name="Yes").click()
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


def test_wrong_metadata_is_told_with_its_place_and_stays_as_typed(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    dialog = dialog_of(page)
    dialog.get_by_text("Description, time and metadata").press("Enter")
    field = dialog.get_by_label("Metadata")
    field.fill('{"project": "虾饺"\n "since": 2026}')
    field.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("line 2, column 2: a comma")
    expect(field).to_be_focused()
    expect(field).to_have_value('{"project": "虾饺"\n "since": 2026}')
    assert_accessible(page)

    field.fill('{"project": "虾饺", "since": 2026}')
    field.press("Control+Enter")
    expect(page.locator("#side .memory-metadata")).to_have_text('{\n  "project": "虾饺",\n  "since": 2026\n}')


def test_two_browsers_edit_one_memory_and_no_text_is_lost(open_page: OpenPage, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", title="Drinks")
    first, second = open_page(), open_page()
    for page in (first, second):
        open_dialog(page, mei, memory)
    dialog_of(first).get_by_label("Content").fill("The user likes black tea in the morning")
    dialog_of(first).get_by_label("Tags").fill("morning")
    dialog_of(first).get_by_role("button", name="Save").click()
    expect(first.locator("#toasts")).to_contain_text("Saved.")

    dialog = dialog_of(second)
    dialog.get_by_label("Content").fill("The user likes tea with milk")
    dialog.get_by_label("Title").fill("Hot drinks")
    dialog.get_by_label("Title").press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_be_focused()
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing you typed is lost")
    versions = dialog.locator(".versions tbody tr")
    expect(versions).to_have_count(3)
    expect(versions.nth(0)).to_contain_text("both changed")
    expect(versions.nth(0).locator("td").nth(0).locator("ins").first).to_contain_text("black")
    expect(versions.nth(0).locator("td").nth(1).locator("ins")).to_contain_text("with milk")
    assert_accessible(second)

    dialog.get_by_role("button", name="Take this Content").press("Enter")
    expect(dialog.get_by_label("Content")).to_have_value("The user likes black tea in the morning")
    expect(second.locator("#take-theirs-content")).to_be_focused()
    dialog.get_by_role("button", name="Keep mine Content").press("Enter")
    expect(dialog.get_by_label("Content")).to_have_value("The user likes tea with milk")
    dialog.get_by_label("Content").fill("The user likes black tea with milk in the morning")
    dialog.get_by_label("Content").press("Control+Enter")
    expect(second.locator("#toasts")).to_contain_text("Saved.")
    memory.refresh_from_db()
    assert memory.content == "The user likes black tea with milk in the morning"
    assert (memory.title, memory.tags) == ("Hot drinks", ["morning"])
    contents = [revision.before.get("content") for revision in memory.revisions.filter(action="edited")]
    assert set(contents) == {"The user likes tea", "The user likes black tea in the morning"}


def test_a_memory_deleted_meanwhile_is_brought_back_with_what_is_typed(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_dialog(page, mei, memory)
    changes.delete(memory, person(agent))
    dialog = dialog_of(page)
    dialog.get_by_label("Content").fill("The user likes green tea")
    dialog.get_by_label("Content").press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("was deleted meanwhile")
    dialog.get_by_role("button", name="Bring it back with this text").click()

    expect(page.locator("#toasts")).to_contain_text("Saved.")
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
