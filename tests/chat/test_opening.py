"""A conversation opened at one of its messages, however far up, and on whichever branch."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from chat.models import Conversation, Message
from chat.sending import edit_message
from tests.chat.turning import finish, make_branch
from tests.factories import make_agent, make_conversation
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

pytestmark = pytest.mark.django_db

SHOWN = re.compile(r'<article id="message-(\d+)"')


@pytest.fixture
def long_one(user: User) -> list[Message]:
    return make_branch(make_conversation(agent=make_agent(owner=user)), 1_100)


def shown(client: Client, address: str) -> list[int]:
    return [int(pk) for pk in SHOWN.findall(client.get(address).content.decode())]


def test_a_message_a_thousand_messages_up_is_shown_with_what_stands_around_it(
    signed_in: Client, long_one: list[Message]
) -> None:
    sought, conversation = long_one[80], long_one[80].conversation_id
    page = signed_in.get(f"/conversations/{conversation}/?message={sought.pk}").content.decode()

    assert f'data-sought="message-{sought.pk}"' in page
    assert [int(pk) for pk in SHOWN.findall(page)] == [message.pk for message in long_one[70:110]]
    assert f"?before={long_one[70].pk}" in page
    assert f"?after={long_one[109].pk}" in page
    after = shown(signed_in, f"/conversations/{conversation}/earlier/?after={long_one[109].pk}")
    assert after == [message.pk for message in long_one[110:150]]
    before = shown(signed_in, f"/conversations/{conversation}/earlier/?before={long_one[70].pk}")
    assert before == [message.pk for message in long_one[30:70]]


@pytest.mark.parametrize("place", [0, 5, 1_065, 1_099])
def test_near_an_end_the_page_is_full_all_the_same(signed_in: Client, long_one: list[Message], place: int) -> None:
    sought = long_one[place]
    found = shown(signed_in, f"/conversations/{sought.conversation_id}/?message={sought.pk}")

    assert len(found) == 40
    assert sought.pk in found


def test_pages_in_the_middle_lead_one_way_only(signed_in: Client, long_one: list[Message]) -> None:
    address = f"/conversations/{long_one[0].conversation_id}/earlier/"

    assert "?after=" not in signed_in.get(f"{address}?before={long_one[500].pk}").content.decode()
    assert "?before=" not in signed_in.get(f"{address}?after={long_one[500].pk}").content.decode()
    assert "?after=" not in signed_in.get(f"{address}?after={long_one[-2].pk}").content.decode()


def test_the_branch_is_turned_to_the_message(signed_in: Client, user: User) -> None:
    conversation = make_conversation(agent=make_agent(owner=user))
    made = make_branch(conversation, 4)
    finish(edit_message(made[0], "Another beginning").answer)
    assert made[2].pk not in shown(signed_in, f"/conversations/{conversation.pk}/")

    assert shown(signed_in, f"/conversations/{conversation.pk}/?message={made[2].pk}") == [each.pk for each in made]
    assert shown(signed_in, f"/conversations/{conversation.pk}/") == [each.pk for each in made]


@pytest.mark.parametrize("value", ["", "x", "999999999", "-1"])
def test_an_unknown_message_opens_the_end(signed_in: Client, long_one: list[Message], value: str) -> None:
    found = shown(signed_in, f"/conversations/{long_one[0].conversation_id}/?message={value}")

    assert found == [message.pk for message in long_one[-40:]]


def test_another_conversations_message_opens_nothing_of_it(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    here, there = make_conversation("Here", agent=agent), make_conversation("There", agent=agent)
    page = signed_in.get(f"/conversations/{here.pk}/?message={there.leaf_id}").content.decode()

    assert "There" not in re.sub(r"<title>.*?</title>", "", page).split('id="thread"')[1]


@pytest.mark.django_db(transaction=True)
def test_a_message_sent_from_the_middle_shows_the_end(
    turns: None, signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.always(Reply(text="Well."))
    made = make_branch(make_conversation(agent=make_agent(owner=user)), 100)
    address = f"/conversations/{made[0].conversation_id}/messages/"
    response = signed_in.post(address, {"text": "And now?", "is_cut": "1"}, headers={"HX-Request": "true"})

    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#thread", "outerHTML")
    found = [int(pk) for pk in SHOWN.findall(response.content.decode())]
    assert found[-2:] == list(Conversation.objects.get().messages.order_by("pk").values_list("pk", flat=True))[-2:]
    assert len(found) == 40
