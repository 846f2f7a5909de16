"""A page of a real browser that remembers what went wrong in it."""

from dataclasses import dataclass, field

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from xiajiao.models import User


@dataclass
class Troubles:
    """Errors in the console (violations of the content policy among them), scripts that failed, strangers called."""

    site: str
    seen: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self.on_console)
        page.on("pageerror", lambda error: self.seen.append(f"script: {error}"))
        page.on("request", self.on_request)

    def forgive(self, words: str) -> None:
        """What the test itself brought about."""
        self.seen = [trouble for trouble in self.seen if words not in trouble]

    def on_console(self, message: ConsoleMessage) -> None:
        # htmx logs a request that a newer one replaced; nothing is wrong then.
        if "signal is aborted" in message.text:
            return
        # A refused form answers 422, a missing page 404: the browser logs each, and neither is a fault of the page.
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            self.seen.append(f"console: {message.text}")

    def on_request(self, request: Request) -> None:
        if not request.url.startswith((self.site, "data:", "blob:", "about:")):
            self.seen.append(f"request to a stranger: {request.url}")


def sign_in(page: Page, user: User) -> None:
    """By session cookie; the sign-in page has its own test."""
    client = Client()
    client.force_login(user)
    add_cookie(page.context, settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value)


def add_cookie(context: BrowserContext, name: str, value: str) -> None:
    context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])


def assert_accessible(page: Page) -> None:
    """No axe-core violation of serious or critical level."""
    found = Axe().run(page).response["violations"]
    grave = [
        f"{violation['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for violation in found
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]
    assert not grave, "\n".join([page.url, *grave])


def assert_fits(page: Page) -> None:
    """Nothing sticks out at the side."""
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= seen, f"{page.url} is {wide} px wide in a window of {seen} px"


def press_in_menu(page: Page, menu: str, name: str) -> None:
    """By the keyboard: open the menu behind the button, and follow the link of that name in it."""
    page.get_by_role("button", name=menu, exact=True).press("Enter")
    page.get_by_role("link", name=name, exact=True).press("Enter")
