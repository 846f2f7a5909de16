"""The list of memories as a person uses it: filters, order, pages, with and without scripts."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from memories.models import Agent
from tests.browser.conftest import LOCALES, OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

ROWS = "#memory-results tbody tr"


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


@pytest.fixture
def listed(mei: User, agent: Agent, page: Page) -> Page:
    """Six memories that differ in all that a filter asks for."""
    other, day = make_agent(owner=mei, name="Cook"), timezone.now() - timedelta(days=40)
    make_memory(agent, "Green tea", title="Zebra", tags=["tea", "C++"], importance=3, recall_count=7)
    make_memory(agent, "Keep replies short", title="apple", category="procedural", type_key="feedback", source="tool")
    make_memory(agent, "Old news", title="项目", created_at=day, updated_at=day, tags=["tea"])
    make_memory(other, "Soup", title="北京", source="import", type_key="reference", category="episodic")
    make_memory(other, "Bread", enabled=False)
    make_memory(other, "Butter", valid_to=day)
    sign_in(page, mei)
    page.goto("/memories/")
    return page


def contents(page: Page) -> list[str]:
    return page.locator(f"{ROWS} .memory-says > a").all_inner_texts()


def test_filters_combine_stand_in_the_address_and_are_taken_away(listed: Page) -> None:
    expect(listed.locator(ROWS)).to_have_count(4)
    listed.get_by_text("More filters").click()
    listed.get_by_label("Tag", exact=True).fill("tea")
    expect(listed.locator(ROWS)).to_have_count(2)
    listed.get_by_label("Updated from").fill(timezone.localdate().isoformat())
    expect(listed.locator(ROWS)).to_have_count(1)
    expect(listed.get_by_label("Updated from")).to_be_focused()
    expect(listed).to_have_url(f"/memories/?tag=tea&updated_from={timezone.localdate().isoformat()}")
    listed.reload()
    expect(listed.locator(ROWS)).to_have_count(1)
    expect(listed.get_by_label("Tag", exact=True)).to_have_value("tea")

    listed.get_by_role("link", name="Tag tea take away").click()
    expect(listed.get_by_label("Tag", exact=True)).to_have_value("")
    expect(listed.locator(ROWS)).to_have_count(3)
    listed.get_by_role("link", name="Clear all").click()
    expect(listed.locator(ROWS)).to_have_count(4)
    expect(listed).to_have_url("/memories/")


def test_each_filter_narrows_at_once(listed: Page) -> None:
    listed.get_by_text("More filters").click()
    for label, value, count in [
        ("Category", "procedural", 1),
        ("Type", "reference", 1),
        ("Source", "tool", 1),
        ("State", "disabled", 1),
        ("State", "superseded", 1),
        ("State", "all", 6),
    ]:
        choice = listed.get_by_role("combobox", name=label, exact=True)
        choice.focus()
        choice.select_option(value)
        expect(listed.locator(ROWS)).to_have_count(count)
        expect(choice).to_be_focused()
        choice.select_option(index=0)
        expect(listed.locator(ROWS)).to_have_count(4)


def test_back_takes_the_last_filter_away(listed: Page) -> None:
    listed.get_by_label("Category").select_option("semantic")
    expect(listed.locator(ROWS)).to_have_count(2)
    listed.wait_for_timeout(400)  # nothing asks a second time
    listed.get_by_label("Category").select_option("procedural")
    expect(listed.locator(ROWS)).to_have_count(1)

    listed.go_back()
    expect(listed.locator(ROWS)).to_have_count(2)
    expect(listed.get_by_label("Category")).to_have_value("semantic")
    listed.go_back()
    expect(listed.locator(ROWS)).to_have_count(4)


def test_heads_sort_by_the_keyboard_and_say_so(listed: Page) -> None:
    head = listed.get_by_role("columnheader", name="Memory")
    head.get_by_role("link").press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(head.get_by_role("link")).to_be_focused()
    assert [text.splitlines()[0] for text in contents(listed)] == ["apple", "Zebra", "北京", "项目"]
    head.get_by_role("link").press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert [text.splitlines()[0] for text in contents(listed)] == ["项目", "北京", "Zebra", "apple"]
    expect(listed.get_by_label("Sort by")).to_have_value("-title")

    listed.get_by_label("Sort by").focus()
    listed.get_by_label("Sort by").select_option("-recalls")
    expect(listed.get_by_role("columnheader", name="Times recalled")).to_have_attribute("aria-sort", "descending")
    expect(listed.get_by_label("Sort by")).to_be_focused()
    assert contents(listed)[0].startswith("Zebra")
    listed.get_by_label("Category").select_option("semantic")
    expect(listed.locator(ROWS)).to_have_count(2)
    expect(listed).to_have_url("/memories/?category=semantic&sort=-recalls")


def test_cards_and_tags_filter(listed: Page) -> None:
    cards = listed.locator("#memory-cards")
    expect(cards).to_contain_text("All agents4")
    cards.get_by_role("link", name="Cook 1").click()
    expect(listed.locator(ROWS)).to_have_count(1)
    cards.get_by_role("link", name="procedural 1").click()
    expect(listed.locator(ROWS)).to_contain_text("Keep replies short")
    cards.get_by_role("link", name="All agents").click()
    listed.get_by_role("link", name="#C++").click()
    expect(listed.locator(ROWS)).to_have_count(1)
    expect(listed).to_have_url("/memories/?tag=C%2B%2B")


def test_where_nothing_fits_each_filter_says_what_it_hides(listed: Page) -> None:
    listed.goto("/memories/?category=procedural&tag=tea")
    expect(listed.get_by_role("heading", name="No memory fits")).to_be_visible()
    expect(listed.locator(".memory-hiding")).to_contain_text("Without “Category: procedural” 2 memories")
    assert_accessible(listed)
    listed.get_by_role("link", name="Without “Tag: tea”").click()
    expect(listed.locator(ROWS)).to_have_count(1)


def test_a_page_is_turned_by_the_keyboard_and_reading_goes_on_at_its_top(page: Page, mei: User, agent: Agent) -> None:
    for number in range(120):
        make_memory(agent, f"Fact {number}", category="episodic" if number % 2 else "semantic")
    sign_in(page, mei)
    page.goto("/memories/?category=semantic")
    expect(page.locator("#memory-found")).to_have_text("Showing 50 of 60 memories")

    page.get_by_role("link", name="Next page").press("Enter")
    expect(page.locator(ROWS)).to_have_count(10)
    expect(page.locator("#memory-found")).to_be_focused()
    assert "category=semantic&after=" in page.url
    page.reload()
    expect(page.locator(ROWS)).to_have_count(10)
    page.get_by_role("link", name="First page").press("Enter")
    expect(page.locator(ROWS)).to_have_count(50)
    expect(page).to_have_url("/memories/?category=semantic")
    page.go_back()
    expect(page.locator(ROWS)).to_have_count(10)


@pytest.fixture
def plain_page(site: str, browser: Browser, mei: User) -> Iterator[Page]:
    """Of a browser that runs no scripts."""
    context = browser.new_context(base_url=site, locale=LOCALES["en"], java_script_enabled=False)
    page = context.new_page()
    sign_in(page, mei)
    yield page
    context.close()


def test_everything_works_without_scripts(plain_page: Page, agent: Agent) -> None:
    for number in range(70):
        make_memory(agent, f"Fact {number}", category="episodic", tags=["tea"], title=f"{number:02}")
    make_memory(agent, "Keep replies short", category="procedural")
    plain_page.goto("/memories/")
    plain_page.get_by_label("Category").select_option("episodic")
    plain_page.get_by_label("Sort by").select_option("title")
    plain_page.get_by_role("button", name="Filter").click()

    expect(plain_page).to_have_url("/memories/?category=episodic&sort=title")
    expect(plain_page.locator(ROWS)).to_have_count(50)
    plain_page.get_by_role("link", name="Next page").click()
    expect(plain_page.locator(ROWS)).to_have_count(20)
    expect(plain_page.locator(ROWS).first).to_contain_text("50")
    plain_page.get_by_role("link", name="Updated").click()
    expect(plain_page).to_have_url("/memories/?category=episodic&sort=-updated")
    plain_page.get_by_role("link", name="Category episodic take away").click()
    plain_page.get_by_role("searchbox").fill("Keep replies")
    plain_page.get_by_role("searchbox").press("Enter")
    expect(plain_page.locator(ROWS)).to_have_count(1)


def test_staff_look_through_everybody_s(page: Page, mei: User, agent: Agent) -> None:
    make_memory(agent, "Mei's")
    staff = make_user(username="boss", is_staff=True)
    make_memory(make_agent(owner=staff), "My own")
    sign_in(page, staff)
    page.goto("/memories/")
    expect(page.locator(ROWS)).to_have_count(1)

    page.get_by_text("More filters").click()
    page.get_by_label("Person").select_option("Everybody's")
    expect(page.locator(ROWS)).to_have_count(2)
    expect(page.locator("#memory-cards")).to_contain_text("Helper")
    page.get_by_label("Person").select_option("mei")
    expect(page.locator(ROWS)).to_have_count(1)
    expect(page.locator(ROWS)).to_contain_text("mei")


@pytest.mark.parametrize("look", LOOKS)
def test_all_filters_open_fit_and_are_accessible(
    open_page: OpenPage, mei: User, agent: Agent, look: tuple[str, int, str]
) -> None:
    for number in range(55):
        make_memory(agent, f"Fact {number}", tags=["W" * 50, "茶"], description="W" * 200, recall_count=number * 1000)
    page = open_page(*look)
    sign_in(page, mei)
    page.goto("/memories/?state=all&type=user&tag=茶&created_from=2020-01-01&sort=-recalls")
    assert_accessible(page)
    assert_fits(page)
    heads_shown = page.locator("#memory-results thead").is_visible()
    assert heads_shown == (look[1] >= 1000)


def test_more_filters_have_the_whole_width_of_a_phone(open_page: OpenPage, person: User) -> None:
    make_memory(make_agent(owner=person, name="Helper"), "The user likes tea")
    page = open_page("zh", 390)
    sign_in(page, person)
    page.goto("/memories/")
    page.locator(".memory-more-filters > summary").press("Enter")
    expect(page.locator("#memory-filters [name=tag]")).to_be_visible()
    panel, form = (
        page.locator(".memory-more-filters > div").bounding_box(),
        page.locator("#memory-filters").bounding_box(),
    )
    assert panel
    assert form
    assert panel["width"] == form["width"]


def test_more_filters_unfold_below_the_others_and_leave_their_button_where_it_is(
    open_page: OpenPage, person: User
) -> None:
    make_memory(make_agent(owner=person, name="Helper"), "The user likes tea")
    page = open_page("zh", 1280)
    sign_in(page, person)
    page.goto("/memories/")
    button = page.locator(".memory-more-filters > summary")
    before = button.bounding_box()
    button.press("Enter")
    expect(page.locator("#memory-filters [name=tag]")).to_be_visible()
    assert button.bounding_box() == before
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#memory-filters [name=tag]")).to_be_hidden()
