"""Zip files of profile files that people upload: what is refused, whole."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client

from memories.models import Agent, ProfileFile
from memories.profiles.layout import LARGEST
from tests.factories import make_agent
from tests.hostile_zips import make_broken, make_encrypted
from tests.knowledge import zoo
from tests.memories.profiles.test_pages import at, upload
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def test_a_zip_file_that_can_not_be_read_is_told_so_and_changes_nothing(signed_in: Client, agent: Agent) -> None:
    for what, content in make_broken("memories/USER.md"):
        answer = upload(signed_in, at(agent, "user/upload/"), content)
        assert (what, answer.status_code) == (what, 422)
        assert "damaged, or packed in an unusual way" in answer.content.decode(), what
    locked = upload(signed_in, at(agent, "user/upload/"), make_encrypted("memories/USER.md"))
    assert "has a password" in locked.content.decode()
    assert "no file in the zip file" in upload(signed_in, at(agent, "user/upload/"), zoo.zipped({})).content.decode()
    assert not ProfileFile.objects.filter(kind="user").exists()


def test_a_zip_file_that_unpacks_to_too_much_changes_nothing(signed_in: Client, agent: Agent) -> None:
    days = [f"memories/daily/{date(2020, 1, 1) + timedelta(day)}.md" for day in range(2_001)]
    full = zoo.zipped({"memories/USER.md": b"tea"} | dict.fromkeys(days[:105], bytes(LARGEST)))
    for content in (full, zoo.zipped({"memories/USER.md": bytes(21 * 2**20)})):
        answer = upload(signed_in, at(agent, "user/upload/"), content)
        assert answer.status_code == 422
        assert "larger than 20 MB together; nothing was changed" in answer.content.decode()
    lying = upload(signed_in, at(agent, "user/upload/"), zoo.understated(full, 9))
    assert "damaged" in lying.content.decode()
    many = upload(signed_in, at(agent, "user/upload/"), zoo.zipped(dict.fromkeys(days, b"- tea")))
    assert "more than 2,000 files in it; nothing was changed" in many.content.decode()
    crowd = upload(signed_in, at(agent, "user/upload/"), zoo.zipped({f"{number}": b"" for number in range(10_001)}))
    assert "more than 2,000 files" in crowd.content.decode()
    assert not ProfileFile.objects.filter(version__gt=0).exists()


def test_years_of_days_are_brought_at_once_and_a_film_beside_them_is_not_unpacked(
    signed_in: Client, agent: Agent
) -> None:
    days = {f"memories/daily/{date(2024, 1, 1) + timedelta(day)}.md": b"- tea\n" for day in range(40)}
    page = upload(
        signed_in, at(agent, "user/upload/"), zoo.zipped(days | {"film.mp4": bytes(22 * 2**20)})
    ).content.decode()
    assert (page.count("new."), page.count("no profile file is called so")) == (40, 1)
