import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import make_user
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
