import re

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits
from tests.browser.test_shell import LOOKS
from xiajiao.models import User
from xiajiao.setup_link import make_setup_link

WORDS = {
    "en": ("Username", "Password", "The same password again", "Begin"),
    "zh": ("用户名", "密码", "再输入一次密码", "开始使用"),
}

MEET = {"en": "Meet your agent", "zh": "认识一下你的智能体"}
CALLED = {"en": "What shall it call you?", "zh": "它怎么称呼你？"}


@pytest.mark.parametrize(("language", "width", "theme"), LOOKS)
def test_the_first_minutes_lead_from_the_link_into_the_chat(
    open_page: OpenPage, language: str, width: int, theme: str
) -> None:
    page = open_page(language, width, theme)
    name, password, again, begin = WORDS[language]
    page.goto(make_setup_link().removeprefix(settings.BASE_URL))
    assert_accessible(page)
    assert_fits(page)

    page.get_by_label(name, exact=True).fill("mei")
    page.get_by_label(password, exact=True).fill("short")
    page.get_by_label(again, exact=True).fill("short")
    page.get_by_role("button", name=begin).click()
    expect(page.locator("[role=alert]").first).to_be_visible()
    assert language == "en" or not re.search("[A-Za-z]{2,}", page.locator("[role=alert]").first.inner_text())
    assert_accessible(page)

    page.get_by_label(password, exact=True).fill("har-gow-2026")
    page.get_by_label(again, exact=True).fill("har-gow-2026")
    page.get_by_role("button", name=begin).click()
    expect(page.get_by_role("heading", name=MEET[language])).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_label(CALLED[language]).fill("Mei")
    page.get_by_role("button", name=begin).click()
    expect(page.locator("nav.rail")).to_be_visible()
    assert User.objects.get().agents.get().profile_files.get(kind="user").text.endswith("Mei\n")


def test_the_page_speaks_the_other_language_at_a_click(page: Page) -> None:
    page.goto(make_setup_link().removeprefix(settings.BASE_URL))
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="欢迎使用")).to_be_visible()


def test_without_the_link_a_stranger_learns_where_it_is(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Nobody has an account yet")).to_be_visible()
    assert_accessible(page)
