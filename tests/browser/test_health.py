import re

import pytest
from playwright.sync_api import Page, expect

from memories.health.sweeping import sweep
from memories.models import Agent, Finding, Memory
from tests.browser.conftest import OpenPage
from tests.browser.pages import Troubles, assert_accessible, assert_fits, sign_in
from tests.browser.remembering import dialog_of, speak
from tests.factories import make_agent
from tests.memories.health.keeping import days_ago, keep
from xiajiao.models import User

LOOKS = [("en", 1280, "light"), ("zh", 1280, "dark"), ("en", 360, "dark"), ("zh", 390, "light")]
KINDS = ["duplicate", "contradiction", "language", "secret", "unused", "jobs"]
SECRET = "部署脚本用 sk-proj-9fK2mQ7xL4vB8nR3tW6yZ1aC5dE0gH 登录服务器"
PAIRS = ["用户喜欢吃饺子", "用户爱吃水饺", "用户在小区门口开了一家面馆", "用户在小区门口经营面馆"]


@pytest.fixture
def agent(person: User) -> Agent:
    """With two likely duplicates, a contradiction, one in another language and two that are never recalled."""
    agent = make_agent(owner=person, name="Kitchen", language="zh-hans")
    for text in [*PAIRS, "用户住在北京", "用户住在上海", SECRET, "The user likes to read novels in the garden"]:
        keep(agent, text)
    sweep(120)
    for text in ("用户有过一台诺基亚手机", "用户以前在面包店打工"):
        memory = keep(agent, text, created_at=days_ago(90))
        Finding.objects.create(memory=memory, kind="unused", agent=agent, user=person)
    sweep(120)
    return agent


def open_health(page: Page, person: User, kind: str = "") -> Page:
    sign_in(page, person)
    page.goto(f"/memories/health/?kind={kind}" if kind else "/memories/health/")
    return page


def active() -> set[str]:
    return set(Memory.objects.active().values_list("content", flat=True))


def count_of(page: Page, name: str) -> str:
    return page.get_by_role("link", name=name).locator("strong").inner_text()


@pytest.mark.parametrize(("language", "width", "theme"), LOOKS)
def test_each_kind_is_accessible_and_fits(
    open_page: OpenPage, agent: Agent, language: str, width: int, theme: str
) -> None:
    page = open_page(language, width, theme)
    for kind in KINDS:
        open_health(page, agent.owner, kind)
        expect(page.locator(".health-card[aria-current]")).to_be_visible()
        assert_accessible(page)
        assert_fits(page)


def test_the_list_of_memories_leads_to_what_there_is_to_settle(page: Page, person: User, agent: Agent) -> None:
    sign_in(page, person)
    page.goto("/memories/")
    page.get_by_role("link", name="Health").click()

    expect(page.get_by_role("heading", name="Likely duplicates")).to_be_visible()
    expect(page.locator("article.finding")).to_have_count(2)


def test_a_pair_is_merged_with_one_click_and_taken_apart_with_another(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person)
    before = active()
    pair = page.locator("article.finding", has_text="用户爱吃水饺")
    pair.get_by_role("button", name="Keep B's words").click()
    expect(pair).to_have_count(0)
    assert before - active() == {"用户喜欢吃饺子"}
    expect(page.locator("article.finding")).to_have_count(1)
    assert count_of(page, "Likely duplicates") == "1"

    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(pair).to_be_visible()
    assert active() == before


def test_two_things_are_never_shown_again(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person)
    before = active()
    pair = page.locator("article.finding", has_text="用户爱吃水饺")
    pair.get_by_role("button", name="These are two things").click()
    expect(pair).to_have_count(0)
    page.reload()

    expect(page.locator("article.finding")).to_have_count(1)
    assert active() == before


def test_pairs_are_settled_by_keyboard_alone(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person)
    pairs = page.locator("article.finding")
    page.keyboard.press("j")
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(pairs.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(pairs.nth(0)).to_be_focused()

    page.keyboard.press("2")
    expect(pairs).to_have_count(1)
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep A's words")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing doubtful")).to_be_visible()
    expect(page.get_by_role("heading", name="Likely duplicates")).to_be_focused()


def test_of_two_that_contradict_each_other_the_newer_one_counts(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person, "contradiction")
    page.get_by_role("button", name="B replaces A").click()

    expect(page.get_by_role("heading", name="Nothing doubtful")).to_be_visible()
    assert "用户住在上海" in active()
    assert "用户住在北京" not in active()


def test_several_are_ticked_and_switched_off_together(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person, "unused")
    page.get_by_label("All on this page").check()
    page.get_by_role("button", name="Switch off").click()

    expect(page.get_by_text("2 memories are switched off.")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing doubtful")).to_be_visible()
    assert Memory.objects.filter(enabled=False).count() == 2


def test_one_in_another_language_is_opened_beside_the_list_to_be_edited(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person, "language")
    page.get_by_role("link", name="The user likes to read novels in the garden").click()

    expect(page.locator("#side")).to_contain_text("The user likes to read novels in the garden")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_shows_one_agent_alone(open_page: OpenPage, person: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    other = make_agent(owner=person, name="Garden", language="zh-hans")
    for text in ("用户养了三只鸡", "用户养着三只鸡"):
        keep(other, text)
    sweep(120)
    open_health(page, person)
    everything = page.locator("article.finding").count()
    choice = page.get_by_label(say("Agent"), exact=True)
    choice.focus()
    choice.select_option(str(other.pk))
    expect(page).to_have_url(re.compile(rf"agent={other.pk}\b"))
    expect(page.locator("article.finding")).to_have_count(1)
    expect(page.locator("article.finding")).to_contain_text("三只鸡")
    expect(choice).to_be_focused()

    page.get_by_role("link", name=say("Likely contradictions")).press("Enter")
    expect(page.get_by_role("heading", name=say("Likely contradictions"))).to_be_visible()
    expect(page.locator("article.finding")).to_have_count(0)
    choice.select_option("")
    expect(page.locator("article.finding")).to_have_count(1)
    page.go_back()
    page.go_back()
    page.go_back()
    expect(page.locator("article.finding")).to_have_count(everything)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_of_a_pair_is_edited_in_the_dialog_by_the_keyboard(
    open_page: OpenPage, person: User, agent: Agent, language: str
) -> None:
    page, say = open_page(language), speak(language)
    open_health(page, person, "contradiction")
    edit = page.locator("article.finding .finding-edit").first
    edit.press("Enter")
    expect(dialog_of(page).locator("[name=content]")).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Control+A")
    page.keyboard.type("用户 2020 年住在北京，后来搬走了")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")
    expect(page.locator("#toasts")).to_contain_text(say("Saved."))
    assert "用户 2020 年住在北京，后来搬走了" in active()


def test_a_secret_is_struck_out_after_a_question(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person, "secret")
    page.locator(".finding-row input").check()
    page.get_by_role("button", name="Strike it out").click()
    page.get_by_role("button", name="Yes, go on").click()

    expect(page.get_by_text("Struck out of 1 memory.")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing doubtful")).to_be_visible()
    assert "部署脚本用 [API 密钥已隐去] 登录服务器" in active()


def test_rows_are_ticked_by_keyboard(page: Page, person: User, agent: Agent) -> None:
    open_health(page, person, "unused")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    page.keyboard.press("3")

    expect(page.get_by_text("1 memory is pinned.")).to_be_visible()
    expect(page.locator(".finding-row")).to_have_count(1)
    assert Memory.objects.filter(pinned=True).count() == 1


def test_without_scripts_the_buttons_work_as_plain_forms(
    page: Page, person: User, agent: Agent, troubles: Troubles
) -> None:
    page.route("**/*.js", lambda route: route.abort())
    open_health(page, person, "contradiction")
    page.get_by_role("button", name="Both hold").click()

    expect(page.get_by_text("It stays as it is and is not shown here again.")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing doubtful")).to_be_visible()
    troubles.forgive("net::ERR_FAILED")
