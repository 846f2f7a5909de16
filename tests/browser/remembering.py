"""The list of memories, a memory's drawer and the dialog, as a person opens them."""

from collections.abc import Callable

from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, expect

from memories.drafts import Origin
from memories.models import Agent, Memory
from tests.browser.pages import sign_in
from xiajiao.models import User


def person(agent: Agent) -> Origin:
    return Origin("person", "manual", agent.owner_id)


def speak(language: str) -> Callable[[str], str]:
    """What the pages of a language (en, zh) say for an English text."""

    def say(text: str) -> str:
        with override({"en": "en", "zh": "zh-hans"}[language]):
            return gettext(text)

    return say


def dialog_of(page: Page) -> Locator:
    return page.locator("#dialog-body")


def open_list(page: Page, user: User) -> None:
    """Staff see everybody's."""
    sign_in(page, user)
    page.goto("/memories/?person=all" if user.is_staff else "/memories/")


def open_dialog(page: Page, user: User, memory: Memory) -> None:
    """From the drawer, by its button."""
    open_list(page, user)
    page.locator(f"#memory-{memory.pk} a.memory-text").click()
    page.locator(f"#memory-{memory.pk}-edit").press("Enter")
    expect(page.locator("#dialog-title")).to_be_visible()
