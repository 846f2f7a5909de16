"""A section that is edited on the page while others write into the same file."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from memories.models import Agent, ProfileKind, ProfileRevision
from memories.profiles.editing import LONGEST, ProfileChange, change_file, make_key, read_file
from memories.profiles.places import scrub_files
from tests.factories import make_agent
from xiajiao.models import User
from xiajiao.places import Forgotten

pytestmark = pytest.mark.django_db

TEXT = "## Work\nNurse\n\n## Tea\nGreen\n"


@pytest.fixture
def agent(user: User) -> Agent:
    agent = make_agent(owner=user, name="Ada", language="en")
    write(agent, lambda _text: TEXT)
    return agent


def write(agent: Agent, alter: Callable[[str], str]) -> None:
    """By the agent, meanwhile."""
    change = ProfileChange(ProfileRevision.Action.EDITED, "agent", user_id=agent.owner_id)
    change_file(make_key(agent, ProfileKind.USER, agent.owner_id), alter, change)


def stored(agent: Agent) -> str:
    return read_file(make_key(agent, ProfileKind.USER, agent.owner_id)).text


def send(client: Client, agent: Agent, **values: object) -> Any:
    return client.post(f"/agents/{agent.pk}/files/user/section/", values)


def test_what_others_wrote_into_other_sections_stays(signed_in: Client, agent: Agent) -> None:
    write(agent, lambda text: f"## Name\nMei\n\n{text}\n## Pets\na cat\n")
    assert send(signed_in, agent, number=1, version=1, heading="Tea", body="Black").status_code == 302
    assert stored(agent) == "## Name\nMei\n\n## Work\nNurse\n\n## Tea\nBlack\n\n## Pets\na cat\n"
    assert send(signed_in, agent, number=0, version=1, heading="Work", remove=1).status_code == 302
    assert "Nurse" not in stored(agent)
    assert send(signed_in, agent, version=1, heading="Music", body="Jazz").status_code == 302
    assert stored(agent).endswith("a cat\n\n## Music\nJazz\n")


@pytest.mark.parametrize("removal", [{}, {"remove": "1"}])
def test_the_same_section_changed_is_shown_beside_what_was_typed(
    signed_in: Client, agent: Agent, removal: dict[str, str]
) -> None:
    write(agent, lambda text: text.replace("Green", "Oolong"))
    page = send(signed_in, agent, number=1, version=1, heading="Tea", body="Black", **removal)
    shown = page.content.decode()
    assert (page.status_code, stored(agent)) == (409, TEXT.replace("Green", "Oolong"))
    assert "Oolong" in shown
    assert ">\nBlack</textarea>" in shown
    assert 'name="text"' not in shown
    assert send(signed_in, agent, number=1, version=2, heading="Tea", body="Black").status_code == 302
    assert stored(agent) == TEXT.replace("Green", "Black")


def test_a_section_that_is_gone_is_added_only_when_it_is_saved_again(signed_in: Client, agent: Agent) -> None:
    write(agent, lambda text: text.partition("\n## Tea")[0])
    page = send(signed_in, agent, number=1, version=1, heading="Tea", body="Black")
    assert (page.status_code, stored(agent)) == (409, "## Work\nNurse\n")
    assert "it is added anew" in page.content.decode()
    assert ">\nBlack</textarea>" in page.content.decode()


def test_a_section_beside_others_of_its_name_is_the_one_that_is_changed(signed_in: Client, agent: Agent) -> None:
    write(agent, lambda _text: "## A\none\n\n## A (2)\ntwo\n\n## A\nthree\n")
    assert send(signed_in, agent, number=2, version=2, heading="A", body="3").status_code == 302
    assert stored(agent) == "## A\none\n\n## A (2)\ntwo\n\n## A\n3\n"
    write(agent, lambda _text: "## A\n3\n\n## A (2)\nnew\n")
    assert send(signed_in, agent, number=2, version=3, heading="A", body="III").status_code == 302
    assert stored(agent) == "## A\nIII\n\n## A (2)\nnew\n"
    write(agent, lambda _text: "## A\none\n\n## A\ntwo\n")
    write(agent, lambda _text: "## A\none\n\n## A (2)\nnew\n")
    page = send(signed_in, agent, number=1, version=6, heading="A", body="2")
    assert page.status_code == 409
    assert "it is added anew" in page.text


def test_a_form_from_before_something_was_forgotten_does_not_bring_it_back(signed_in: Client, agent: Agent) -> None:
    scrub_files(Forgotten(1, agent.pk, agent.owner_id, ("Green",)))
    page = send(signed_in, agent, number=1, version=1, heading="Tea", body="Green, and strong")
    assert page.status_code == 409
    assert "Green" not in stored(agent)


def test_what_can_not_be_saved_stays_open_at_its_own_card(signed_in: Client, agent: Agent) -> None:
    shown = send(signed_in, agent, number=1, version=1, heading="x" * 201, body="Black").content.decode()
    assert ">\nBlack</textarea>" in shown
    assert "at most 200 characters" in shown
    write(agent, lambda text: text + "x" * (LONGEST - len(text) - 2))
    page = send(signed_in, agent, number=0, version=2, heading="Work", body="Surgeon at a hospital")
    assert page.status_code == 422
    assert ">\nSurgeon at a hospital</textarea>" in page.content.decode()
    assert 'name="text"' not in page.content.decode()


def test_secrets_are_left_out_of_headings_too(signed_in: Client, agent: Agent) -> None:
    send(signed_in, agent, version=1, heading="sk-proj-abcdefghijklmnopqrstuvwx12345678", body="My key")
    assert "sk-proj" not in stored(agent)


def test_line_ends_stay_as_they_are(signed_in: Client, agent: Agent) -> None:
    write(agent, lambda text: text.replace("\n", "\r\n"))
    send(signed_in, agent, number=0, version=2, heading="Work", body="Doctor\r\nsince 2020")
    assert stored(agent) == "## Work\r\nDoctor\r\nsince 2020\r\n\r\n## Tea\r\nGreen\r\n"
    whole = {"text": "## Tea\r\nBlack\r\n", "version": 3}
    signed_in.post(f"/agents/{agent.pk}/files/user/edit/", whole)
    assert stored(agent) == "## Tea\r\nBlack\r\n"


def test_of_mixed_line_ends_each_stays_where_its_line_does(signed_in: Client, agent: Agent) -> None:
    write(agent, lambda _text: "\n## Work\nNurse\nat night\r\n\n## Tea\nGreen\nstrong")
    page = signed_in.get(f"/agents/{agent.pk}/files/user/?view=text").text
    shown = unescape(page.partition('hx-target="#profile-meter">\n')[2].partition("</textarea>")[0])
    typed = shown.replace("\r\n", "\n").replace("\n", "\r\n")
    signed_in.post(f"/agents/{agent.pk}/files/user/edit/", {"text": typed, "version": 2})
    assert ProfileRevision.objects.filter(file__kind="user").count() == 2
    signed_in.post(f"/agents/{agent.pk}/files/user/edit/", {"text": typed.replace("Green", "Black"), "version": 2})
    assert stored(agent) == "\n## Work\nNurse\nat night\r\n\n## Tea\nBlack\r\nstrong"
    send(signed_in, agent, number=1, version=3, heading="Work", body="Nurse\r\nby day")
    assert stored(agent) == "\n## Work\nNurse\nby day\r\n\r\n## Tea\nBlack\r\nstrong"
