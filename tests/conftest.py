from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db.models.signals import post_migrate
from django.test import Client, override_settings
from django.utils import translation
from pytest_django import Settings

from tests.factories import make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

# What asks a database: its own fixtures, and the site that a browser visits.
DATABASE = {"db", "transactional_db", "site"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only-with-database", action="store_true", help="leave out what asks no database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--only-with-database"):
        return
    left_out = [item for item in items if not asks_database(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if asks_database(item)]


def asks_database(item: pytest.Item) -> bool:
    """A test of a whole installation says so by its mark: its processes ask."""
    is_marked = any(item.get_closest_marker(name) for name in ("django_db", "installation"))
    return is_marked or bool(DATABASE & set(getattr(item, "fixturenames", ())))


@pytest.fixture(scope="session", autouse=True)
def _system_types() -> None:
    """A test in real transactions ends by emptying every table; what a migration put there comes back with this."""
    post_migrate.connect(restore_system_types, sender=apps.get_app_config("memories"))


def restore_system_types(**_: Any) -> None:
    import_module("memories.migrations.0002_system_types").add_system_types(apps, None)


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Hashing a password well takes a quarter of a second, and the suite makes thousands of people."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def _no_language() -> None:
    """A request leaves its language active in the thread of the test that made it."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def user(db: None) -> User:
    return make_user()


@pytest.fixture
def signed_in(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


@pytest.fixture
def openai_stub(settings: Settings) -> Iterator[OpenAIStub]:
    """The environment's provider is this stub, so that agents without one of their own talk to it."""
    with OpenAIStub() as stub:
        settings.OPENAI_BASE_URL = stub.base_url
        settings.OPENAI_API_KEY = "sk-stub-key-of-tests"
        settings.OPENAI_MODEL = "stub-model"
        yield stub
