"""What a conversation was told of the profile files, on a page of its own and in the drawer."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Conversation
from chat.profiles import freeze_profile
from memories.models import Agent, ProfileFile
from tests.factories import make_agent, make_conversation
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(user: User) -> Conversation:
    agent = make_agent(owner=user, language="en")
    ProfileFile.objects.create(agent=agent, kind="soul", text="## Identity\nI am Ada.")
    ProfileFile.objects.create(agent=agent, user=user, kind="user", text="## Name\nMei")
    return make_conversation("Hi", agent=agent)


def look(client: Client, conversation: Conversation) -> str:
    return client.get(f"/conversations/{conversation.pk}/told/", headers=HTMX).content.decode()


def test_it_shows_what_was_told_and_whether_the_files_say_something_else_by_now(
    signed_in: Client, conversation: Conversation
) -> None:
    assert "the files are read with the first answer" in look(signed_in, conversation)
    freeze_profile(conversation)
    page = look(signed_in, conversation)
    assert "## Name\nMei\n&lt;/user-profile&gt;" in page
    assert "The files still say the same." in page
    ProfileFile.objects.filter(kind="user").update(text="## Name\nLan")
    page = look(signed_in, conversation)
    assert "The files say something else by now:" in page
    assert "Lan" in page
    address = f"/conversations/{conversation.pk}/told/refresh/"
    page = signed_in.post(address, headers=HTMX).content.decode()
    assert "The files still say the same." in page
    assert "The next answer knows the files as they are now." in page
    conversation.refresh_from_db()
    assert "Lan" in (conversation.profile_text or "")
    assert signed_in.post(address, follow=True).redirect_chain == [(f"/conversations/{conversation.pk}/told/", 302)]


def test_an_empty_one_is_said_to_be_so_and_a_temporary_one_is_told_nothing_of_the_person(
    signed_in: Client, conversation: Conversation
) -> None:
    Conversation.objects.update(mode="temporary")
    conversation.refresh_from_db()
    freeze_profile(conversation)
    page = look(signed_in, conversation)
    assert "I am Ada." in page
    assert "Mei" not in page
    empty = make_conversation("Hi", agent=make_agent(owner=conversation.user))
    freeze_profile(empty)
    assert "all four files were empty" in look(signed_in, empty)


def test_nobody_is_led_to_files_of_an_agent_that_is_no_longer_shared(signed_in: Client, user: User) -> None:
    agent = make_agent(is_shared=True)
    told = {"profile_text": "Be brief.", "profile_at": timezone.now()}
    conversation = make_conversation("Hello", agent=agent, user=user, **told)
    assert f'href="/agents/{agent.pk}/files/soul/"' in look(signed_in, conversation)
    Agent.objects.update(is_shared=False)

    assert f"/agents/{agent.pk}/files/" not in look(signed_in, conversation)
