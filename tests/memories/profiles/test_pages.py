"""The page of an agent's files."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.models import Agent, ProfileFile, ProfileRevision
from memories.profiles.editing import make_key, read_file
from memories.profiles.souls import give_soul
from tests.factories import make_agent, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    agent = make_agent(owner=user, name="Ada", language="en")
    give_soul(agent)
    return agent


def at(agent: Agent, rest: str = "") -> str:
    return f"/agents/{agent.pk}/files/{rest}"


def text_of(agent: Agent, user: User, kind: str = "user") -> str:
    return read_file(make_key(agent, kind, user.pk)).text


def test_the_four_files_are_shown_with_what_is_told(signed_in: Client, agent: Agent) -> None:
    page = signed_in.get(at(agent, "soul/"))
    assert "I am Ada" in page.content.decode()
    assert "&lt;agent-identity&gt;" in page.content.decode()
    for kind in ("user", "memory", "daily"):
        assert signed_in.get(at(agent, f"{kind}/")).status_code == 200
    assert signed_in.get(at(agent, "notes/")).status_code == 404
    assert signed_in.get(at(agent, "daily/?day=2026-13-01")).status_code == 404


def test_sections_are_added_edited_and_removed(signed_in: Client, agent: Agent, user: User) -> None:
    signed_in.post(at(agent, "user/section/"), {"heading": "Work", "body": "Nurse", "version": 0})
    signed_in.post(at(agent, "user/section/"), {"heading": "Tea", "body": "Green", "version": 1})
    assert text_of(agent, user) == "## Work\nNurse\n\n## Tea\nGreen\n"
    signed_in.post(at(agent, "user/section/"), {"number": 0, "heading": "Work", "body": "Doctor", "version": 2})
    signed_in.post(at(agent, "user/section/"), {"number": 1, "remove": "1", "version": 3})
    assert text_of(agent, user) == "## Work\nDoctor\n\n"
    actions = ProfileRevision.objects.filter(file__kind="user").values_list("action", "user")
    assert set(actions) == {("edited", user.pk)}


def test_a_section_without_text_is_refused_with_what_was_typed(signed_in: Client, agent: Agent) -> None:
    page = signed_in.post(at(agent, "user/section/"), {"heading": "Work", "body": " ", "version": 0})
    assert page.status_code == 422
    assert 'value="Work"' in page.content.decode()
    assert "Write what the section says." in page.content.decode()


def test_the_whole_file_is_written_and_what_is_too_long_is_measured(
    signed_in: Client, agent: Agent, user: User
) -> None:
    text = "## A\r\none\r\n\r\n## B\r\n" + "x" * 1500
    signed_in.post(at(agent, "user/edit/"), {"text": text, "version": 0, "view": "text"})
    assert text_of(agent, user) == text.replace("\r\n", "\n")
    page = signed_in.get(at(agent, "user/")).content.decode()
    assert "not told to conversations: B." in page
    preview = signed_in.post(at(agent, "user/preview/"), {"text": "short", "version": 1}).content.decode()
    assert "5 of 1400 characters" in preview
    assert text_of(agent, user) == text.replace("\r\n", "\n")


def test_a_change_that_came_first_is_shown_and_nothing_is_lost(signed_in: Client, agent: Agent, user: User) -> None:
    signed_in.post(at(agent, "user/edit/"), {"text": "first words", "version": 0})
    page = signed_in.post(at(agent, "user/edit/"), {"text": "other words", "version": 0})
    assert page.status_code == 409
    assert "other words" in page.content.decode()
    assert 'name="version" value="1"' in page.content.decode()
    assert text_of(agent, user) == "first words"


def test_a_file_is_put_back(signed_in: Client, agent: Agent, user: User) -> None:
    for version, text in enumerate(("one", "two", "three")):
        signed_in.post(at(agent, "user/edit/"), {"text": text, "version": version})
    second = ProfileRevision.objects.get(file__kind="user", version=2)
    signed_in.post(f"/agents/files/changes/{second.pk}/restore/")
    assert text_of(agent, user) == "two"
    signed_in.post(f"/agents/files/changes/{second.pk}/restore/", {"before": "1"})
    assert text_of(agent, user) == "one"
    assert ProfileRevision.objects.filter(file__kind="user").count() == 5


def test_each_reads_their_own_files_and_only_the_owner_changes_the_soul(
    agent: Agent, user: User, client: Client
) -> None:
    agent.is_shared = True
    agent.save()
    ProfileFile.objects.create(agent=agent, user=user, kind="user", text="## Secret\nkumquats")
    other = make_user()
    client.force_login(other)
    assert "kumquats" not in client.get(at(agent, "user/")).content.decode()
    assert "I am Ada" in client.get(at(agent, "soul/")).content.decode()
    assert client.post(at(agent, "soul/edit/"), {"text": "x", "version": 1}).status_code == 404
    revision = ProfileRevision.objects.get(file__kind="soul")
    assert client.post(f"/agents/files/changes/{revision.pk}/restore/").status_code == 404
    stranger = make_agent()
    assert client.get(at(stranger, "soul/")).status_code == 404


def test_html_in_a_file_stays_text(signed_in: Client, agent: Agent) -> None:
    signed_in.post(at(agent, "user/edit/"), {"text": "## <b>x</b>\n<script>alert(1)</script>", "version": 0})
    for view in ("", "?view=text"):
        assert "<script>alert" not in signed_in.get(at(agent, f"user/{view}")).content.decode()
