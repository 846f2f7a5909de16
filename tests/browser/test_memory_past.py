"""Going back to what a memory said, and looking at what an agent knew; by the keyboard."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memories import changes, gate
from memories.models import Agent, Memory
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, press_in_menu, sign_in
from tests.browser.remembering import dialog_of, open_list, person, speak
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from tests.memories.test_redaction import KEYS
from xiajiao.models import User

in_both_languages = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


@in_both_languages
def test_a_version_is_put_back_by_the_keyboard_and_that_is_taken_back(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, memory = open_page(language), make_memory(agent, "用户住在北京的朝阳区")
    changes.edit(memory, {"content": "用户住在上海的浦东新区", "pinned": True}, person(agent))
    changes.edit(memory, {"content": "用户住在深圳"}, person(agent))
    first = memory.revisions.order_by("pk")[0]
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").press("Enter")
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    expect(page.locator(f"#revision-{first.pk} ins")).to_have_count(3)

    page.locator(f"#rewind-{first.pk}").press("Enter")
    act = dialog_of(page).locator("[data-dialog-focus]")
    expect(act).to_be_focused()
    expect(dialog_of(page).locator("ins")).to_contain_text("上海的浦东新区")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(page.locator("#side textarea")).to_have_value("用户住在上海的浦东新区")
    undo = page.locator("#side .revision-acts a").first
    undo.press("Enter")
    expect(act).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#side textarea")).to_have_value("用户住在深圳")


@in_both_languages
def test_going_back_keeps_what_is_typed_in_the_drawer(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say, memory = open_page(language), speak(language), make_memory(agent, "The user likes tea")
    changes.edit(memory, {"title": "Tea"}, person(agent))
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    page.locator("#side").locator("[name=content]").fill("The user likes green tea")
    page.locator("#side").get_by_role("link", name=say("Take back")).click()
    dialog_of(page).get_by_role("button", name=say("Take back")).click()

    expect(page.locator("#side .memory-title")).to_have_count(0)
    expect(page.locator("#side").locator("[name=content]")).to_have_value("The user likes green tea")
    page.locator("#side").get_by_role("button", name=say("Save")).click()
    expect(page.locator("#toasts")).to_contain_text(say("Saved."))


@in_both_languages
def test_the_older_of_two_values_counts_again_by_the_keyboard(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say = open_page(language), speak(language)
    old = gate.write(agent, mei.pk, gate.Draft("用户今年 30 岁"), person(agent)).memory
    new = gate.write(agent, mei.pk, gate.Draft("用户今年 31 岁"), person(agent)).memory
    open_list(page, mei)
    page.locator(f"#memory-{new.pk} a.memory-text").press("Enter")
    chain = page.locator("#side .chain li")
    expect(chain).to_have_count(2)
    expect(chain.nth(0)).to_contain_text("用户今年 30 岁")
    expect(chain.nth(1)).to_have_attribute("aria-current", "true")
    assert_accessible(page)
    chain.nth(0).get_by_role("button", name=say("Let the older one count again")).press("Enter")

    expect(chain.nth(0).get_by_role("button")).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text(say("It is taken back."))
    expect(page.locator(f"#memory-{old.pk}")).to_be_visible()
    assert set(Memory.objects.active()) == {old, new}


@in_both_languages
def test_a_secret_stays_out_of_what_comes_back_unless_it_is_insisted_on(
    open_page: OpenPage, mei: User, agent: Agent, language: str
) -> None:
    page, say = open_page(language), speak(language)
    draft, origin = gate.Draft(f"The user's key is {KEYS[0]}"), replace(person(agent), keeps_secrets=True)
    memory = gate.write(agent, mei.pk, draft, origin).memory
    changes.edit(memory, {"content": "The user has a key"}, person(agent))
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").press("Enter")
    page.locator("#side .revision-acts a").first.press("Enter")
    box = dialog_of(page).get_by_role("checkbox", name=say("Bring it back as it was"))
    expect(dialog_of(page).locator("ins").last).to_contain_text("removed")
    expect(dialog_of(page)).to_contain_text(say("It is left out: a mark comes back in its place."))
    assert_accessible(page)
    expect(dialog_of(page).locator("[data-dialog-focus]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#side textarea")).to_have_value("The user's key is [API key removed]")

    page.locator("#side .revision-acts a").last.press("Enter")
    expect(dialog_of(page)).to_contain_text(say("Without it there is nothing to bring back."))
    box.press("Space")
    expect(box).to_be_checked()
    box.press("Enter")
    expect(page.locator("#side textarea")).to_have_value(f"The user's key is {KEYS[0]}")


@in_both_languages
def test_a_past_day_is_looked_at_by_the_keyboard(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    day = timezone.localdate() - timedelta(days=5)
    memory = make_memory(agent, "The user likes tea", created_at=timezone.now() - timedelta(days=9))
    changes.edit(memory, {"content": "The user likes milk"}, person(agent))
    open_list(page, mei)
    press_in_menu(page, say("More"), say("As of a day"))
    page.get_by_label(say("Day")).fill(day.isoformat())
    page.get_by_label(say("Day")).press("Enter")

    belief = page.locator(".belief")
    expect(belief.get_by_role("link", name="The user likes tea")).to_be_visible()
    expect(belief.locator("ins")).to_contain_text("milk")
    assert_accessible(page)
    belief.get_by_role("link", name="The user likes tea").press("Enter")
    expect(page.locator("#side textarea")).to_have_value("The user likes milk")


@pytest.mark.parametrize("look", LOOKS)
def test_dialogs_and_history_fit_and_are_accessible(
    open_page: OpenPage, mei: User, agent: Agent, look: tuple[str, int, str]
) -> None:
    page = open_page(*look)
    old = make_memory(agent, "x" * 300)
    memory = make_memory(
        agent, "الرجل يشرب الشاي 👩‍👩‍👧", title="W" * 150, tags=["y" * 50], metadata={"z" * 90: "z" * 99}
    )
    changes.edit(memory, {"content": "word " * 1900, "metadata": {}, "pinned": True}, person(agent))
    Memory.objects.filter(pk=old.pk).update(superseded_by=memory, valid_to="2026-05-03T00:00:00Z")
    sign_in(page, mei)
    revision = memory.revisions.get()
    for address in (
        f"/memories/{memory.pk}/",
        f"/memories/{memory.pk}/edit/",
        "/memories/add/",
        f"/memories/revisions/{revision.pk}/undo/",
        f"/memories/revisions/{revision.pk}/rewind/",
        "/memories/as-of/",
        f"/memories/as-of/?agent={agent.pk}&date={timezone.localdate()}",
    ):
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
    page.goto("/memories/")
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    page.locator(f"#memory-{memory.pk}-edit").click()
    expect(page.locator("#dialog-title")).to_be_visible()
    changes.edit(memory, {"title": "V" * 150}, person(agent))
    dialog_of(page).locator("textarea").first.fill("z" * 300)
    dialog_of(page).locator("#memory-whole-save").click()
    expect(dialog_of(page).locator(".versions")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    wide = dialog_of(page).evaluate("body => body.scrollWidth > body.clientWidth")
    assert not wide
