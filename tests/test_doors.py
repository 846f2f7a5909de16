"""Every address of the site as somebody who is not signed in."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.factories import make_user

# What anybody may open, and why.
OPEN = {
    "healthz": "for the supervisor and for proxies",
    "readyz": "for the supervisor and for proxies",
    "login": "the door itself",
    "language_update": "the sign-in page has it too",
    "theme_update": "the sign-in page has it too",
    "setup": "before anybody has an account; explains itself afterwards",
}
SAMPLES = {"int": "1", "str": "x", "slug": "x", "uuid": "00000000-0000-0000-0000-000000000000", "path": "x"}


def find_addresses(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                yield from find_addresses(pattern.url_patterns, route)
        else:
            yield pattern.name or "", re.sub(r"<(?:(\w+):)?\w+>", lambda match: SAMPLES[match[1] or "str"], route)


ADDRESSES = sorted(find_addresses(get_resolver().url_patterns))


@pytest.mark.parametrize(("name", "address"), ADDRESSES, ids=[address for _name, address in ADDRESSES])
def test_nobody_enters_without_signing_in(db: None, name: str, address: str) -> None:
    make_user()
    if name in OPEN:
        return
    for method in (Client().get, Client().post):
        response = method(address)
        assert response.status_code == 302, f"{address} answers {response.status_code}"
        assert response.headers["Location"].startswith("/login/")


def test_what_is_said_to_be_open_exists() -> None:
    assert set(OPEN) <= {name for name, _address in ADDRESSES}
