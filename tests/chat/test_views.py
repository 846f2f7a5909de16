from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from chat.models import Conversation, Message
from tests.chat.turning import finish, make_answer, wait_for
from tests.factories import make_agent, make_user
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

BY_HTMX = {"HX-Request": "true"}
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conversation(turns: None, user: User) -> Conversation:
    return finish(make_answer("Hi", agent=make_agent(owner=user))).conversation


def test_a_first_message_begins_a_conversation_and_is_answered(
    turns: None, signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.says("Hello.")
    agent = make_agent(owner=user)
    response = signed_in.post("/conversations/new/", {"agent": agent.pk, "text": "Hi there", "token": str(uuid4())})

    assert (response.status_code, response["Location"]) == (302, f"/conversations/{Conversation.objects.get().pk}/")
    wait_for(lambda: not Message.objects.unfinished().exists())
    assert list(Message.objects.values_list("content", "status")) == [("Hi there", "done"), ("Hello.", "done")]
    assert Conversation.objects.get().title == "Hi there"


def test_a_message_is_shown_with_an_answer_that_follows_its_stream(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    openai_stub.says("Well.")
    response = signed_in.post(
        f"/conversations/{conversation.pk}/messages/", {"text": "<b>How are you?</b>"}, headers=BY_HTMX
    )

    page = response.content.decode()
    answer = Message.objects.latest("pk")
    assert "&lt;b&gt;How are you?&lt;/b&gt;" in page
    assert f'hx-sse:connect="/messages/{answer.pk}/stream/"' in page
    assert 'hx-sse:close="turn-finished"' in page


def test_a_double_click_sends_once(signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    form = {"text": "How are you?", "token": str(uuid4())}
    first = signed_in.post(f"/conversations/{conversation.pk}/messages/", form, headers=BY_HTMX)
    second = signed_in.post(f"/conversations/{conversation.pk}/messages/", form, headers=BY_HTMX)

    assert (first.status_code, second.status_code) == (200, 200)
    assert Message.objects.count() == 4
    wait_for(lambda: not Message.objects.unfinished().exists())
    assert len(openai_stub.requests) == 1


def test_a_message_during_an_answer_is_refused_with_a_reason(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    openai_stub.always(Reply(text="word " * 100, rate=10))
    signed_in.post(f"/conversations/{conversation.pk}/messages/", {"text": "One"})
    response = signed_in.post(f"/conversations/{conversation.pk}/messages/", {"text": "Two"})

    assert response.status_code == 409
    assert "being written" in response.content.decode()


def test_a_stop_ends_the_answer(signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="word " * 1_000, rate=20))
    signed_in.post(f"/conversations/{conversation.pk}/messages/", {"text": "One"})
    answer = Message.objects.latest("pk")
    wait_for(lambda: Message.objects.get(pk=answer.pk).content)
    assert signed_in.post(f"/messages/{answer.pk}/stop/").status_code == 204
    wait_for(lambda: not Message.objects.unfinished().exists())

    answer.refresh_from_db()
    assert answer.status == "stopped"
    assert answer.content.startswith("word")


def test_an_edit_and_another_answer_stand_beside_the_first_ones(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    openai_stub.always(Reply(text="Well."))
    first, answer = conversation.messages.all()
    page = signed_in.post(f"/messages/{answer.pk}/answers/").content.decode()
    assert f'id="message-{answer.pk}"' not in page
    wait_for(lambda: not Message.objects.unfinished().exists())
    page = signed_in.post(f"/messages/{first.pk}/edit/", {"text": "Hello"}).content.decode()
    assert f'id="message-{first.pk}"' not in page
    wait_for(lambda: not Message.objects.unfinished().exists())
    page = signed_in.post(f"/messages/{first.pk}/read/").content.decode()

    assert f'id="message-{first.pk}"' in page
    assert Message.objects.filter(role="user").count() == 2
    assert answer.parent is not None
    assert answer.parent.children.count() == 2


def test_a_broken_answer_says_what_to_do_and_offers_another_try(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    answer = conversation.messages.latest("pk")
    finish(answer, "Half", status="error", error_code="cut_off", error_detail="<script>")
    page = signed_in.post(f"/messages/{answer.pk}/read/").content.decode()

    assert "The connection to the model broke" in page
    assert f'hx-post="/messages/{answer.pk}/answers/"' in page
    assert "<script>" not in page


Act = Callable[[Client, Message], Any]
ACTIONS: list[Act] = [
    lambda client, message: client.post(f"/conversations/{message.conversation_id}/messages/", {"text": "x"}),
    lambda client, message: client.post(f"/messages/{message.parent_id}/edit/", {"text": "x"}),
    lambda client, message: client.post(f"/messages/{message.pk}/answers/"),
    lambda client, message: client.post(f"/messages/{message.pk}/stop/"),
    lambda client, message: client.post(f"/messages/{message.pk}/read/"),
    lambda client, message: client.post("/conversations/new/", {"agent": message.conversation.agent_id, "text": "x"}),
]


@pytest.mark.parametrize("act", ACTIONS)
@pytest.mark.parametrize("is_staff", [False, True])
def test_conversations_are_closed_to_everybody_else(act: Act, is_staff: bool, turns: None, client: Client) -> None:
    answer = finish(make_answer("A secret"))
    assert act(client, answer).status_code == 302
    client.force_login(make_user(is_staff=is_staff, is_superuser=is_staff))

    assert act(client, answer).status_code == 404
    assert Message.objects.count() == 2


@pytest.mark.parametrize("act", ACTIONS)
def test_nothing_is_changed_without_a_token(act: Act, turns: None) -> None:
    answer = finish(make_answer("Hi"))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(answer.conversation.user)

    assert act(strict, answer).status_code == 403


def test_another_persons_token_makes_a_message_of_ones_own(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub
) -> None:
    openai_stub.always(Reply(text="Well."))
    form = {"text": "Mine", "token": str(uuid4())}
    signed_in.post(f"/conversations/{conversation.pk}/messages/", form, headers=BY_HTMX)
    guest, stranger = Client(), make_user()
    guest.force_login(stranger)
    response = guest.post("/conversations/new/", form | {"agent": make_agent(owner=stranger).pk})

    assert response.status_code == 302
    assert Message.objects.filter(content="Mine", conversation__user=stranger).count() == 1


def test_a_title_is_cleaned(signed_in: Client, conversation: Conversation) -> None:
    signed_in.post(f"/conversations/{conversation.pk}/rename/", {"title": "Dump\0lings"})

    conversation.refresh_from_db()
    assert conversation.title == "Dumplings"


@pytest.mark.parametrize("is_staff", [False, True])
def test_only_who_may_connect_a_model_is_led_there(turns: None, client: Client, is_staff: bool) -> None:
    person = make_user(is_staff=is_staff)
    answer = finish(make_answer("Hi", agent=make_agent(owner=person)), provider_name="offline")
    client.force_login(person)

    for address in ("/", f"/conversations/{answer.conversation_id}/"):
        assert ("/settings/models/" in client.get(address).content.decode()) == is_staff


@pytest.mark.parametrize(("code", "words"), [("slow", "in time"), ("failed", "failed"), ("crashed", "knew none")])
def test_what_recall_lacked_is_said(
    signed_in: Client, conversation: Conversation, openai_stub: OpenAIStub, code: str, words: str
) -> None:
    answer = finish(conversation.messages.get(role="assistant"), recall_degraded=code)

    assert words in signed_in.get(f"/messages/{answer.pk}/").content.decode()
