"""A hurried person clicks twice: what was asked for once is done once."""

import re

import pytest
from playwright.sync_api import Page, Request

from memories.models import Agent, Memory
from tests.browser.remembering import open_list
from tests.browser.test_late_answers import Held
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


def list_posts(page: Page) -> list[str]:
    """The addresses that are posted to from now on."""
    posts: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            posts.append(request.url)

    page.on("request", note)
    return posts


@pytest.mark.parametrize("act", ["switch", "delete"])
def test_a_second_click_on_a_button_changes_nothing_more(page: Page, mei: User, act: str) -> None:
    memory = make_memory(make_agent(owner=mei), "The user likes tea")
    open_list(page, mei)
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    button = page.locator(f"#memory-{memory.pk}-{act}")
    held, posts = Held(page, f"**/memories/{memory.pk}/{act}/"), list_posts(page)
    button.dblclick()
    held.wait()
    held.let_go()

    page.wait_for_load_state("networkidle")
    assert len(posts) == 1
    assert Memory.objects.get().revisions.count() == 1


def test_a_plain_form_is_sent_once(page: Page, mei: User) -> None:
    make_agent(owner=mei, name="Helper")
    open_list(page, mei)
    page.goto("/agents/")
    posts = list_posts(page)
    page.get_by_role("button", name="Copy Helper").dblclick()

    page.wait_for_url(re.compile(r"/agents/\d+/$"))
    page.wait_for_load_state("networkidle")
    assert len(posts) == 1
    assert Agent.objects.count() == 2
