from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from tests.factories import make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import User


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
