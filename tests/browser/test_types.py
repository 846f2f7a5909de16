import pytest
from playwright.sync_api import Page, expect

from memories.models import Agent, Memory, MemoryType
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, press_in_menu, sign_in
from tests.browser.remembering import speak
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from tests.memories.test_redaction import KEYS
from xiajiao.models import User


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei", is_staff=True)


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper")


def make_pets() -> MemoryType:
    return MemoryType.objects.create(key="pets", name="宠物", description="家里的猫", icon="paw-print", colour="teal")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_type_is_made_in_the_dialog_by_the_keyboard(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say = open_page(language), speak(language)
    sign_in(page, mei)
    page.goto("/memories/")
    press_in_menu(page, say("More"), say("Types"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(say("Memory types"))
    dialog.get_by_role("link", name=say("Add a type")).press("Enter")
    dialog.get_by_label(say("name").capitalize()).fill("semantic")
    dialog.get_by_role("button", name=say("Save")).press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text(say("This is what a category is called: choose another word."))
    assert_accessible(page)
    dialog.get_by_label(say("name").capitalize()).fill("Travel plans")
    dialog.get_by_label(say("name").capitalize()).press("Tab")
    dialog.get_by_label(say("key").capitalize(), exact=True).fill("")
    page.keyboard.press("Tab")
    page.keyboard.type("Where the user goes")
    dialog.locator("[name=icon][value=tag]").focus()
    page.keyboard.press("ArrowRight")
    expect(dialog.locator("[name=icon][value=user-round]")).to_be_checked()
    dialog.locator("[name=colour][value=blue]").press("Space")
    dialog.get_by_role("button", name=say("Save")).press("Enter")

    expect(page.locator("#toasts")).to_contain_text(say("The type “%(name)s” is there.") % {"name": "Travel plans"})
    expect(dialog.get_by_role("listitem").filter(has_text="travel-plans")).to_contain_text("Where the user goes")
    made = MemoryType.objects.get(key="travel-plans")
    assert (made.icon, made.colour) == ("user-round", "blue")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name=say("More"), exact=True)).to_be_focused()


def test_a_type_is_deleted_in_the_dialog_and_the_list_shows_what_its_memories_became(
    open_page: OpenPage, mei: User, agent: Agent
) -> None:
    make_pets()
    memory = make_memory(agent, "用户养了一只猫", type_key="pets")
    page = open_page("zh", 390)
    sign_in(page, mei)
    page.goto("/memories/")
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("宠物")
    press_in_menu(page, "更多", "类型")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("link", name="删除 宠物").click()
    expect(dialog).to_contain_text("共有 1 条记忆使用这个类型")
    assert_accessible(page)
    assert_fits(page)
    dialog.get_by_role("radio", name="项目知识").check()
    dialog.get_by_role("button", name="删除类型").click()
    expect(page.locator("#toasts")).to_contain_text("已删除类型“宠物”。")
    expect(dialog.get_by_role("list")).not_to_contain_text("宠物")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("项目知识")


def test_what_is_wrong_stays_typed_and_is_said_in_chinese(open_page: OpenPage, mei: User, agent: Agent) -> None:
    page = open_page("zh")
    sign_in(page, mei)
    page.goto("/memories/types/add/")
    page.get_by_label("名称").fill("语义记忆")
    page.get_by_label("键", exact=True).fill("meaning")
    page.get_by_role("button", name="保存").click()

    expect(page.get_by_role("alert")).to_contain_text("这是类别的名称")
    expect(page.get_by_label("名称")).to_have_value("语义记忆")
    assert_accessible(page)


def test_a_deleted_types_memories_become_another(page: Page, mei: User, agent: Agent) -> None:
    make_pets()
    memory = make_memory(agent, "The user has a cat", type_key="pets")
    sign_in(page, mei)
    page.goto("/memories/types/")
    page.get_by_role("link", name="Delete 宠物").press("Enter")
    expect(page.get_by_text("1 memory has this type")).to_be_visible()
    page.get_by_role("radio", name="Project knowledge").press("Space")
    page.get_by_role("button", name="Delete the type").press("Enter")

    expect(page.locator("#toasts")).to_contain_text("The type “宠物” is deleted.")
    page.goto(f"/memories/{memory.pk}/")
    expect(page.get_by_text("Its type “宠物” was deleted.")).to_be_visible()
    expect(page.locator(".type-tag").first).to_contain_text("Project knowledge")


def test_a_locked_type_keeps_its_key_and_name(page: Page, mei: User, agent: Agent) -> None:
    sign_in(page, mei)
    page.goto("/memories/types/")
    page.get_by_role("link", name="Edit User profile").click()
    expect(page.get_by_text("is always there")).to_be_visible()
    expect(page.get_by_label("Key")).to_have_count(0)
    page.get_by_label("Description").fill("Who the user is")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Who the user is")).to_be_visible()


def test_others_look_and_don_t_touch(page: Page, agent: Agent) -> None:
    make_pets()
    sign_in(page, make_user())
    page.goto("/memories/types/")
    expect(page.get_by_text("Administrators add and change them.")).to_be_visible()
    expect(page.get_by_role("link", name="Edit")).to_have_count(0)
    expect(page.get_by_text("家里的猫")).to_be_visible()


def test_a_typed_key_is_warned_of_and_left_out_or_kept(page: Page, mei: User, agent: Agent) -> None:
    sign_in(page, mei)
    for number, keeps in enumerate((False, True)):
        page.goto("/memories/add/")
        page.get_by_label("Content").fill(f"Account {number} uses {KEYS[number]}")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert").first).to_contain_text("This looks like a secret: an API key.")
        assert_accessible(page)
        if keeps:
            page.get_by_label("Keep it as it is").press("Space")
        page.get_by_role("button", name="Save").press("Enter")
        expect(page.get_by_text("an API key")).to_be_visible()

    kept = Memory.objects.order_by("pk").values_list("content", flat=True)
    assert list(kept) == ["Account 0 uses [API key removed]", f"Account 1 uses {KEYS[1]}"]


@pytest.mark.parametrize("look", LOOKS)
def test_types_fit_and_are_accessible(open_page: OpenPage, mei: User, agent: Agent, look: tuple[str, int, str]) -> None:
    pets = make_pets()
    MemoryType.objects.create(key="w" * 50, name="W" * 100, description="W" * 500, colour="pink")
    MemoryType.objects.create(key="going", name="Going", moves_to=pets)
    make_memory(agent, "The user has a cat", type_key="pets")
    page = open_page(*look)
    sign_in(page, mei)
    user = MemoryType.objects.get(key="user")
    rooms = ["", "add/", f"{pets.pk}/", f"{user.pk}/", f"{pets.pk}/delete/"]
    for address in [*(f"/memories/types/{room}" for room in rooms), f"/agents/{agent.pk}/", "/memories/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
