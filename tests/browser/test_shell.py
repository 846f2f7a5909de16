import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.factories import make_user

LOOKS = [("zh", 1280, "light"), ("zh", 360, "dark"), ("en", 1280, "dark"), ("en", 360, "light")]


def test_a_person_signs_in_and_out(page: Page) -> None:
    make_user(username="mei", password="dumplings-2026")

    page.goto("/settings/")
    page.get_by_label("Username").fill("mei")
    page.get_by_label("Password").fill("dumplings-2026")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()

    page.get_by_role("button", name="You").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_language_and_appearance_stay_with_the_person(page: Page) -> None:
    user = make_user()
    sign_in(page, user)

    page.goto("/settings/")
    page.get_by_role("button", name="You").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_class("theme-dark")
    page.get_by_role("button", name="You").click()
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")

    user.refresh_from_db()
    assert (user.language, user.theme) == ("zh-hans", "dark")


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    sign_in(page, make_user())
    page.goto("/settings/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize(("language", "width", "theme"), LOOKS)
def test_pages_fit_and_are_accessible(open_page: OpenPage, language: str, width: int, theme: str) -> None:
    page = open_page(language, width, theme)
    for address in ["/login/", "/nowhere/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
    sign_in(page, make_user(is_staff=True))
    for address in ["/settings/", "/settings/password/"]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
