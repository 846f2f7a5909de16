"""Many memories changed at once in a real browser: by mouse, by keyboard, in both languages, on a phone."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from memories.models import Agent, BulkChange, Memory
from memories.tasks import run_bulk_change
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from tests.memories.bulk import fill
from xiajiao.models import User


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper")


def open_list(page: Page, user: User, query: str = "") -> None:
    sign_in(page, user)
    page.goto(f"/memories/{query}")


def boxes(page: Page) -> Locator:
    return page.locator("#memory-results tbody input[type=checkbox]")


def bar(page: Page) -> Locator:
    return page.locator("#bulk-form")


def read_export(page: Page) -> list[str]:
    """The contents of the memories in the file that the dialog gives."""
    with page.expect_download() as download:
        page.locator("#dialog").get_by_role("button", name="Export").click()
    expect(page.locator("#dialog")).to_be_hidden()
    rows = [json.loads(line) for line in Path(download.value.path()).read_text(encoding="utf-8").splitlines()]
    return sorted(row["content"] for row in rows if row.get("record") == "memory")


def test_what_is_chosen_is_exported_and_stays_chosen(page: Page, mei: User, agent: Agent) -> None:
    for number in range(3):
        make_memory(agent, f"Fact {number}")
    open_list(page, mei)
    boxes(page).nth(0).check()
    boxes(page).nth(2).check()
    bar(page).get_by_role("button", name="Export").click()

    assert read_export(page) == ["Fact 0", "Fact 2"]
    expect(bar(page)).to_contain_text("2 chosen")


def test_all_that_match_are_exported(page: Page, mei: User, agent: Agent) -> None:
    fill(agent, 60)
    make_memory(agent, "A day", category="episodic")
    open_list(page, mei, "?category=semantic")
    boxes(page).nth(0).check()
    bar(page).get_by_role("checkbox", name="All that match").check()
    bar(page).get_by_role("button", name="Export").click()

    assert len(read_export(page)) == 60


def test_ticked_memories_are_switched_off_and_come_back_by_undo(page: Page, mei: User, agent: Agent) -> None:
    for number in range(5):
        make_memory(agent, f"Fact {number}")
    open_list(page, mei)
    expect(bar(page)).to_be_hidden()

    boxes(page).nth(0).check()
    boxes(page).nth(1).check()
    expect(bar(page)).to_contain_text("2 chosen")
    bar(page).get_by_role("button", name="Switch off").click()
    expect(page.locator("#toasts")).to_contain_text("2 memories are no longer used.")
    expect(boxes(page)).to_have_count(3)
    expect(bar(page)).to_be_hidden()
    expect(page.locator("#memory-cards")).to_contain_text("semantic 3")

    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("2 memories are as they were before.")
    expect(boxes(page)).to_have_count(5)
    assert Memory.objects.active().count() == 5


def test_shift_chooses_a_range_and_the_head_the_whole_page(page: Page, mei: User, agent: Agent) -> None:
    for number in range(8):
        make_memory(agent, f"Fact {number}")
    open_list(page, mei)

    boxes(page).nth(1).click()
    boxes(page).nth(5).click(modifiers=["Shift"])
    expect(bar(page)).to_contain_text("5 chosen")
    boxes(page).nth(3).click(modifiers=["Shift"])
    expect(bar(page)).to_contain_text("2 chosen")
    head = page.get_by_label("Choose all on this page")
    expect(head).to_have_js_property("indeterminate", True)
    head.click()
    expect(bar(page)).to_contain_text("8 chosen")
    head.click()
    expect(bar(page)).to_be_hidden()


def test_the_keyboard_chooses_changes_and_clears(page: Page, mei: User, agent: Agent) -> None:
    for number in range(4):
        make_memory(agent, f"Fact {number}")
    open_list(page, mei)
    links = page.locator("#memory-results tbody a.memory-text")

    links.nth(0).focus()
    page.keyboard.press("Space")
    expect(page.locator("#bulk-said")).to_have_text("1 chosen")
    links.nth(2).focus()
    page.keyboard.press("Shift+Space")
    expect(page.locator("#bulk-said")).to_have_text("3 chosen")
    page.keyboard.press("Escape")
    expect(page.locator("#bulk-said")).to_have_text("Nothing is chosen")
    expect(bar(page)).to_be_hidden()

    boxes(page).nth(0).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")  # in a form, Enter would press its first button
    bar(page).get_by_role("button", name="Pin", exact=True).press("Enter")
    expect(page.locator("#toasts")).to_contain_text("1 memory is pinned.")
    expect(page.get_by_label("Choose all on this page")).to_be_focused()
    assert BulkChange.objects.get().action == "pin"


def test_escape_closes_the_drawer_before_it_clears(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "A fact")
    open_list(page, mei)
    boxes(page).nth(0).check()
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    expect(page.locator("#side [data-side-title]")).to_be_focused()

    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()
    expect(bar(page)).to_contain_text("1 chosen")
    page.keyboard.press("Escape")
    expect(bar(page)).to_be_hidden()


def test_a_category_and_a_type_are_chosen_from_a_menu(page: Page, mei: User, agent: Agent) -> None:
    make_memory(agent, "Keep replies short")
    open_list(page, mei)
    for name, said in [("procedural", "is procedural now"), ("Feedback", "has the type “Feedback” now")]:
        boxes(page).nth(0).check()
        bar(page).get_by_role("button", name="Kind").click()
        page.locator("#bulk-kinds").get_by_role("button", name=name).click()
        expect(page.locator("#toasts")).to_contain_text(said)
        expect(bar(page)).to_be_hidden()

    memory = Memory.objects.get()
    assert (memory.category, memory.type.key) == ("procedural", "feedback")


def test_what_is_chosen_survives_the_next_page_and_sorting_but_not_another_filter(
    page: Page, mei: User, agent: Agent
) -> None:
    memories = fill(agent, 60)
    open_list(page, mei)
    boxes(page).nth(0).check()
    page.get_by_role("link", name="Next page").click()
    expect(boxes(page)).to_have_count(10)
    expect(bar(page)).to_contain_text("1 chosen")
    boxes(page).nth(0).check()
    expect(bar(page)).to_contain_text("2 chosen")
    page.get_by_role("link", name="Memory", exact=True).click()
    expect(page).to_have_url(re.compile("sort=title"))
    expect(bar(page)).to_contain_text("2 chosen")

    page.locator("#memory-cards").get_by_role("link", name="Helper").click()
    expect(page).to_have_url(re.compile("agent="))
    expect(bar(page)).to_be_hidden()
    boxes(page).nth(3).check()
    page.get_by_role("link", name="Next page").click()
    expect(boxes(page)).to_have_count(10)
    bar(page).get_by_role("button", name="Delete").click()
    expect(page.locator("#toasts")).to_contain_text("1 memory is deleted.")
    assert Memory.objects.kept().count() == len(memories) - 1


def test_all_that_match_are_counted_asked_about_and_changed_with_progress(page: Page, mei: User, agent: Agent) -> None:
    fill(agent, 450)
    make_memory(agent, "Keep replies short", category="procedural")
    open_list(page, mei, "?category=semantic")
    boxes(page).nth(0).check()
    expect(bar(page)).to_contain_text("(450)")
    page.get_by_label("All that match").check()
    expect(bar(page)).to_contain_text("All that match are chosen")
    expect(boxes(page).nth(20)).to_be_checked()

    bar(page).get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Yes, go on").click()
    progress = page.locator("#bulk-changes")
    expect(progress).to_contain_text("Delete 450 memories")
    expect(progress).to_contain_text("0 of 450")
    page.reload()
    expect(progress).to_contain_text("0 of 450")
    assert_accessible(page)

    run_bulk_change(BulkChange.objects.get().pk)
    expect(progress).to_contain_text("450 memories are deleted.")
    expect(page.get_by_role("heading", name="No memory fits")).to_be_visible()
    progress.get_by_role("button", name="Undo").click()
    expect(progress).to_contain_text("Take back: Delete 450 memories")
    run_bulk_change(BulkChange.objects.latest("pk").pk)
    expect(progress).to_contain_text("450 memories are as they were before.")
    expect(boxes(page)).to_have_count(50)
    assert Memory.objects.active().count() == 451


def test_one_taken_away_from_all_that_match_leaves_those_of_the_page(page: Page, mei: User, agent: Agent) -> None:
    fill(agent, 60)
    open_list(page, mei)
    boxes(page).nth(0).check()
    page.get_by_label("All that match").check()
    boxes(page).nth(4).uncheck()

    expect(page.get_by_label("All that match")).not_to_be_checked()
    expect(bar(page)).to_contain_text("49 chosen")


def test_a_large_change_is_stopped_and_goes_on(page: Page, mei: User, agent: Agent) -> None:
    fill(agent, 450)
    open_list(page, mei)
    boxes(page).nth(0).check()
    page.get_by_label("All that match").check()
    bar(page).get_by_role("button", name="Pin", exact=True).click()
    progress = page.locator("#bulk-changes")

    progress.get_by_role("button", name="Stop").press("Enter")
    expect(progress.get_by_role("button", name="Do the rest")).to_be_focused()
    progress.get_by_role("button", name="Do the rest").click()
    expect(progress.get_by_role("button", name="Stop")).to_be_visible()
    run_bulk_change(BulkChange.objects.get().pk)
    expect(progress).to_contain_text("450 memories are pinned.")
    progress.get_by_role("link", name="Details").click()
    expect(page.get_by_text("The first 20 of 450.")).to_be_visible()


def test_without_scripts_it_is_a_plain_form(open_page: OpenPage, mei: User, agent: Agent, site: str) -> None:
    make_memory(agent, "A fact")
    scripted = open_page()
    browser = scripted.context.browser
    assert browser is not None
    context = browser.new_context(base_url=site, java_script_enabled=False, locale="en-US")
    page = context.new_page()
    open_list(page, mei)
    boxes(page).nth(0).check()
    bar(page).get_by_role("button", name="Pin", exact=True).click()

    expect(page.get_by_text("1 memory is pinned.")).to_be_visible()
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 memory is as it was before.")).to_be_visible()
    context.close()
    assert not Memory.objects.get().pinned


def test_in_chinese_on_a_phone_the_bar_stands_above_the_navigation(
    open_page: OpenPage, mei: User, agent: Agent
) -> None:
    fill(agent, 60)
    page = open_page("zh", 390, "light")
    open_list(page, mei)
    boxes(page).nth(0).check()
    expect(bar(page)).to_contain_text("已选 1 条")
    bar(page).get_by_role("button", name="本页全部").click()
    expect(bar(page)).to_contain_text("已选 50 条")
    box, rail = bar(page).bounding_box(), page.locator(".rail").bounding_box()
    assert box is not None
    assert rail is not None
    assert box["y"] + box["height"] <= rail["y"]
    assert_fits(page)

    bar(page).get_by_role("button", name="停用").click()
    expect(page.locator("#toasts")).to_contain_text("已停用 50 条记忆。")
    expect(boxes(page)).to_have_count(10)


@pytest.mark.parametrize("look", LOOKS)
def test_bar_menu_and_pages_fit_and_are_accessible(
    open_page: OpenPage, mei: User, agent: Agent, look: tuple[str, int, str]
) -> None:
    fill(agent, 450)
    page = open_page(*look)
    open_list(page, mei)
    page.goto("/memories/changes/")
    assert_accessible(page)
    assert_fits(page)
    page.goto("/memories/")
    boxes(page).nth(0).check()
    expect(bar(page)).to_contain_text("450")
    assert_accessible(page)
    assert_fits(page)
    page.locator("[popovertarget=bulk-kinds]").click()
    expect(page.locator("#bulk-kinds")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.keyboard.press("Escape")
    page.locator("[name=scope]").check()
    bar(page).locator("[value=disable]").click()
    expect(page.locator("#bulk-changes progress")).to_be_visible()
    change = BulkChange.objects.get()
    for address in ["/memories/", "/memories/changes/", f"/memories/changes/{change.pk}/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
    run_bulk_change(change.pk)
    for address in ["/memories/changes/", f"/memories/changes/{change.pk}/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
