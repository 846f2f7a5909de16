import pytest
from playwright.sync_api import Page, expect

from memories import gate
from memories.models import Agent, Memory, MemoryRevision
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

LONG = "https://example.com/a/path/without/any/break/" + "glossary-of-the-lighthouse-keeper-" * 4


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


def write(agent: Agent, text: str) -> Memory:
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=agent.owner_id)
    return gate.write(agent, agent.owner_id, gate.Draft(text), origin).memory


def open_drawer(page: Page, user: User, memory: Memory) -> None:
    sign_in(page, user)
    page.goto("/memories/")
    page.locator(f"#memory-{memory.pk} a").click()
    expect(page.locator("#side [data-side-title]")).to_be_focused()


def test_typing_and_choosing_filter_at_once(page: Page, mei: User, agent: Agent) -> None:
    write(agent, "The user drinks green tea")
    make_memory(agent, "Keep replies short", category="procedural")
    sign_in(page, mei)
    page.goto("/memories/")
    search = page.get_by_role("searchbox")

    search.press_sequentially("tea")
    expect(page.locator("#memory-results tbody tr")).to_have_count(1)
    expect(page.locator("#memory-results")).to_contain_text("words in common 100 %")
    expect(search).to_be_focused()
    search.fill("")
    page.get_by_label("Category").select_option("procedural")
    expect(page.locator("#memory-results tbody tr")).to_have_count(1)
    expect(page.locator("#memory-results")).to_contain_text("Keep replies short")
    page.reload()
    expect(page.get_by_label("Category")).to_have_value("procedural")
    expect(page.locator("#memory-results tbody tr")).to_have_count(1)


def test_an_edit_in_the_drawer_shows_in_the_list(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_drawer(page, mei, memory)

    page.get_by_label("Content").fill("The user likes green tea")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("The user likes green tea")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Edited")
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()


def test_pinning_keeps_what_is_typed_and_the_focus(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_drawer(page, mei, memory)

    page.get_by_label("Content").fill("The user likes green tea")
    page.get_by_role("button", name="Pin").press("Enter")
    expect(page.get_by_role("button", name="Unpin")).to_be_focused()
    expect(page.get_by_label("Content")).to_have_value("The user likes green tea")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("pinned")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("The user likes green tea")


def test_a_deleted_memory_comes_back_by_the_keyboard(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_drawer(page, mei, memory)
    cards = page.locator("#memory-cards")
    expect(cards).to_contain_text("semantic 1")

    page.get_by_role("button", name="Delete").press("Enter")
    expect(page.locator("#side").get_by_role("button", name="Undo")).to_be_focused()
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("deleted")
    expect(cards).not_to_contain_text("semantic 1")
    page.keyboard.press("Enter")
    expect(page.locator("#side").get_by_label("Content")).to_be_visible()
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Restored")
    expect(cards).to_contain_text("semantic 1")


def test_a_closed_drawer_leaves_the_way_back_in_the_list(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_drawer(page, mei, memory)
    page.get_by_role("button", name="Delete").click()
    page.locator("#side").get_by_role("button", name="Close").click()

    page.locator(f"#memory-{memory.pk}").get_by_role("button", name="Undo").click()
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Restored")
    memory.refresh_from_db()
    assert memory.is_active


def test_a_stale_edit_shows_both_versions_and_saves_the_second_time(page: Page, mei: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    open_drawer(page, mei, memory)
    Memory.objects.filter(pk=memory.pk).update(content="The user likes red tea", version=7)

    page.get_by_label("Content").fill("The user likes green tea")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing you typed is lost")
    expect(page.locator(".versions")).to_contain_text("The user likes red tea")
    expect(page.locator(".versions ins")).to_contain_text("green")
    expect(page.get_by_label("Content")).to_have_value("The user likes green tea")
    assert_accessible(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    memory.refresh_from_db()
    assert memory.content == "The user likes green tea"


def test_a_replaced_memory_is_brought_back(page: Page, mei: User, agent: Agent) -> None:
    old = write(agent, "用户今年 30 岁")
    new = write(agent, "用户今年 31 岁")
    open_drawer(page, mei, new)

    expect(page.locator("#side")).to_contain_text("The same thing has another number now.")
    page.get_by_role("button", name="Let the older one count again").click()
    expect(page.locator("#side")).to_contain_text("Came back")
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    old.refresh_from_db()
    assert old.is_active


def test_pages_turn_there_and_back(page: Page, mei: User, agent: Agent) -> None:
    for number in range(60):
        make_memory(agent, f"Fact {number}")
    sign_in(page, mei)
    page.goto("/memories/")

    page.get_by_role("link", name="Next page").click()
    expect(page.locator("#memory-results tbody tr")).to_have_count(10)
    page.go_back()
    expect(page.locator("#memory-results tbody tr")).to_have_count(50)
    page.go_forward()
    page.get_by_role("link", name="Previous page").click()
    expect(page.locator("#memory-results tbody tr")).to_have_count(50)


def test_a_memory_is_written_by_hand(page: Page, mei: User, agent: Agent) -> None:
    sign_in(page, mei)
    page.goto("/memories/")
    expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    page.get_by_role("link", name="Write one yourself").click()

    page.get_by_label("How you want things done").check()
    page.get_by_label("Content").fill("Keep replies short")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Remembered.")).to_be_visible()
    expect(page.get_by_role("link", name="Keep replies short")).to_be_visible()
    assert Memory.objects.get().category == "procedural"


@pytest.mark.parametrize("look", LOOKS)
def test_memories_fit_and_are_accessible(
    open_page: OpenPage, mei: User, agent: Agent, look: tuple[str, int, str]
) -> None:
    page = open_page(*look)
    sign_in(page, mei)
    page.goto("/memories/")
    assert_accessible(page)
    assert_fits(page)
    write(agent, "用户今年 30 岁")
    newer = write(agent, "用户今年 31 岁")
    make_memory(agent, LONG, title="W" * 120, tags=["novel"], pinned=True, proof_count=12)
    make_memory(make_agent(owner=mei, name="W" * 80), "The user likes tea", enabled=False)
    for address in ["/memories/?state=all", "/memories/?q=用户", "/memories/?q=x", f"/memories/{newer.pk}/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
    page.goto("/memories/add/")
    assert_accessible(page)
    assert_fits(page)
    page.goto("/memories/")
    page.locator(f"#memory-{newer.pk} a").click()
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    assert_accessible(page)
    assert_fits(page)
