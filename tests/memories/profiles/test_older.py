"""What lies behind the first page of a file's versions, and of the days: plain links lead to all of it."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.test import Client

from memories.models import Agent, ProfileFile
from memories.profiles.editing import ProfileChange, change_file, make_key
from tests.factories import make_agent
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def write(agent: Agent, text: str, kind: str = "user", day: date | None = None) -> None:
    key = make_key(agent, kind, agent.owner_id, day)
    change_file(key, lambda _text: text, ProfileChange("edited", "person", agent.owner_id))


def walk(client: Client, address: str, label: str) -> list[str]:
    """The pages, to the last, by the link that is called so."""
    pages = []
    while address:
        pages.append(client.get(address).text)
        found = re.search(rf'href="([^"]*)">{label}<', pages[-1])
        address = unescape(found[1]) if found else ""
    return pages


def test_older_versions_are_walked_to_the_first(signed_in: Client, agent: Agent) -> None:
    for number in range(1, 46):
        write(agent, f"wording{number:02}\n")

    pages = walk(signed_in, f"/agents/{agent.pk}/files/user/?view=text", "Older versions")

    shown = [int(each) for page in pages for each in re.findall(r"<ins>(?:<span.*?</span>)?wording(\d\d)", page)]
    assert shown == list(range(45, 0, -1))
    assert [page.count("As it was after this") for page in pages] == [19, 20, 5]
    assert ["Newest versions" in page for page in pages] == [False, True, True]
    assert all("wording45\n</textarea>" in page for page in pages)
    assert "There are no older ones." in signed_in.get(f"/agents/{agent.pk}/files/user/?below=1").text


def test_older_days_are_walked_to_the_first(signed_in: Client, agent: Agent, user: User) -> None:
    first = date(2024, 1, 1)
    days = [first + timedelta(number) for number in range(125)]
    rows = [ProfileFile(agent=agent, user=user, kind="daily", day=day, text="- tea", version=1) for day in days]
    ProfileFile.objects.bulk_create(rows)

    pages = walk(signed_in, f"/agents/{agent.pk}/files/daily/?day=2024-01-02", "Older days")

    shown = [each for page in pages for each in re.findall(r">(\d{4}-\d\d-\d\d)</a>", page)]
    assert shown == [day.isoformat() for day in reversed(days)]
    assert ["Newest days" in page for page in pages] == [False, True, True]
    assert 'before=2024-01-06" aria-current="true">2024-01-02<' in pages[-1]
    assert signed_in.get(f"/agents/{agent.pk}/files/daily/?before=nonsense").status_code == 200
