import shutil
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from django.apps import apps
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.pages import Troubles
from tests.browser.serving import Serving, serve
from tests.factories import make_agent, make_user
from xiajiao.models import User

CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# How long a page may take before it counts as stuck, in ms: the machine may be busy with something else.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
LOCALES = {"en": "en-US", "zh": "zh-CN"}

OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """How a page looks in each language, width and theme asks no database: once is enough."""
    for item in items:
        shown = getattr(item, "callspec", None)
        if "browser" in item.path.parts and shown is not None and {"look", "theme"} & set(shown.params):
            item.add_marker("looks")


@pytest.fixture(scope="session")
def _server() -> Iterator[Serving]:
    with serve() as serving:
        yield serving


@pytest.fixture
def site(_server: Serving, transactional_db: None) -> Iterator[str]:
    """The address of the running site; it sees the rows that the test makes, and the system types."""
    # The flush after a test in real transactions takes away what the migration made.
    import_module("memories.migrations.0002_system_types").add_system_types(apps, None)
    yield _server.address
    _server.settle()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # While Playwright lives, its thread has a running event loop, in which no other test may call async views.
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def troubles(site: str) -> Troubles:
    """What the pages of this test have come to; it fails by them at its end."""
    return Troubles(site)


@pytest.fixture
def open_page(site: str, browser: Browser, troubles: Troubles) -> Iterator[OpenPage]:
    """open_page(language="en", width=1280, theme="light", scripts=True): a page of its own context.

    Addresses are relative to the site; without `scripts` the browser runs none.

    A console error, a violation of the content policy or a request to a stranger fails the test at its end.
    """
    contexts = []

    def open_one(language: str = "en", width: int = 1280, theme: str = "light", scripts: bool = True) -> Page:
        context = browser.new_context(
            base_url=site,
            locale=LOCALES[language],
            viewport={"width": width, "height": 800},
            color_scheme="dark" if theme == "dark" else "light",
            java_script_enabled=scripts,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        troubles.watch(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not troubles.seen, "\n".join(troubles.seen)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def person(site: str) -> User:
    """Somebody with an agent called Helper."""
    user = make_user()
    make_agent(owner=user, name="Helper")
    return user
