"""What a conversation shall know and keep: chosen beside its first message, shown, and settled by it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.models import Conversation, Message
from memories.models import Agent
from tests.chat.turning import wait_for
from tests.factories import make_agent, make_conversation
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(turns: None, user: User) -> Agent:
    return make_agent(owner=user, default_mode="read_only")


def begin(client: Client, agent: Agent, **fields: str) -> Conversation:
    fields = {"agent": str(agent.pk), "text": "Hello", "token": str(uuid4())} | fields
    assert client.post("/conversations/new/", fields).status_code == 302
    wait_for(lambda: not Message.objects.unfinished().exists())
    return Conversation.objects.get()


@pytest.mark.parametrize(
    ("said", "mode"), [({}, "read_only"), ({"mode": "temporary"}, "temporary"), ({"mode": "nonsense"}, "read_only")]
)
def test_the_first_message_says_it_or_the_agent_does(
    signed_in: Client, agent: Agent, said: dict[str, str], mode: str
) -> None:
    assert 'value="read_only" aria-describedby="mode-hint-read_only" checked' in signed_in.get("/").content.decode()
    assert begin(signed_in, agent, **said).mode == mode


def test_a_refused_message_keeps_the_choice(signed_in: Client, agent: Agent) -> None:
    page = signed_in.post("/conversations/new/", {"agent": agent.pk, "text": " ", "mode": "temporary"})
    assert 'value="temporary" aria-describedby="mode-hint-temporary" checked' in page.content.decode()


def test_a_conversation_that_begins_with_a_file_can_still_be_set_otherwise(signed_in: Client, agent: Agent) -> None:
    fields = {"agent": agent.pk, "mode": "temporary", "fragment": "on"}
    address = signed_in.post("/conversations/new/files/", fields)["Location"]
    page = signed_in.get(address).content.decode()
    assert 'value="temporary" aria-describedby="mode-hint-temporary" checked' in page
    answer = signed_in.post(f"{address}messages/", {"text": "Hello", "mode": "normal"}, headers=HTMX)
    assert '<div id="modes" hx-swap-oob="true"></div>' in answer.content.decode()
    wait_for(lambda: not Message.objects.unfinished().exists())
    assert Conversation.objects.get().mode == "normal"


def test_it_is_settled_by_the_first_message_and_the_page_says_why(signed_in: Client, agent: Agent) -> None:
    conversation = begin(signed_in, agent, mode="temporary")
    signed_in.post(f"/conversations/{conversation.pk}/messages/", {"text": "And?", "mode": "normal"})
    wait_for(lambda: not Message.objects.unfinished().exists())
    conversation.refresh_from_db()
    assert (conversation.mode, conversation.messages.count()) == ("temporary", 4)
    assert 'name="mode"' not in signed_in.get(f"/conversations/{conversation.pk}/").content.decode()
    assert "settled by the first message" in signed_in.get(f"/conversations/{conversation.pk}/told/").content.decode()


def test_the_page_and_the_list_show_it_and_until_when_it_stays(
    signed_in: Client, agent: Agent, settings: Settings
) -> None:
    settings.TEMPORARY_HOURS = 2
    conversation = begin(signed_in, agent, mode="temporary")
    until = timezone.localtime(conversation.updated_at + timedelta(hours=2))
    page = signed_in.get(f"/conversations/{conversation.pk}/").content.decode()
    assert "mode-tag-temporary" in page
    assert f"deleted for good on {until:%Y-%m-%d %H:%M}" in page
    assert "2 hours after the last message" in page
    assert 'title="Temporary"' in signed_in.get("/conversations/").content.decode()
    usual = make_conversation("Hi", agent=make_agent(owner=agent.owner))
    assert '<span id="mode-badge"></span>' in signed_in.get(f"/conversations/{usual.pk}/").content.decode()
