from uuid import uuid4

import pytest
from django.utils import timezone

from chat.deletion import delete_conversation
from chat.models import Conversation, Message
from chat.search import search_conversations
from chat.sending import (
    LONGEST_MESSAGE,
    SendError,
    edit_message,
    make_title,
    regenerate_answer,
    send_message,
    start_conversation,
)
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent, make_conversation, make_user

pytestmark = pytest.mark.django_db


def test_a_message_and_its_pending_answer_are_committed_together() -> None:
    conversation = make_conversation()
    sent = send_message(conversation, "  Hello\r\nthere ")

    assert sent.message.content == "Hello\nthere"
    assert (sent.answer.parent, sent.answer.status) == (sent.message, Message.Status.PENDING)
    conversation.refresh_from_db()
    assert conversation.leaf == sent.answer
    assert conversation.title == "Hello"


def test_the_same_form_sent_twice_makes_one_message() -> None:
    conversation, token = make_conversation(), uuid4()
    first = send_message(conversation, "Hello", token)
    again = send_message(conversation, "Hello", token)

    assert again.is_repeat
    assert (again.message, again.answer) == (first.message, first.answer)
    assert Message.objects.count() == 2


def test_the_same_form_sent_twice_begins_one_conversation() -> None:
    user, token = make_user(), uuid4()
    agent = make_agent(owner=user)
    start_conversation(user, agent, "Hello", token)
    start_conversation(user, agent, "Hello", token)

    assert Conversation.objects.count() == 1


def test_anothers_token_shows_nothing_of_theirs() -> None:
    token = uuid4()
    send_message(make_conversation(), "A secret", token)
    with pytest.raises(Exception, match=r"(?i)unique"):
        send_message(make_conversation(), "Hello", token)


def test_nothing_is_sent_while_an_answer_is_being_written() -> None:
    answer = make_answer("Hello")
    assert answer.parent is not None
    for send in (
        lambda: send_message(answer.conversation, "More"),
        lambda: edit_message(answer.parent, "Other"),
        lambda: regenerate_answer(answer),
    ):
        with pytest.raises(SendError, match="busy"):
            send()
    assert Message.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "code"), [("", "no_text"), (" \n\0 ", "no_text"), ("x" * (LONGEST_MESSAGE + 1), "long_text")]
)
def test_a_text_that_can_not_be_sent_is_refused_with_a_reason(text: str, code: str) -> None:
    with pytest.raises(SendError, match=code):
        send_message(make_conversation(), text)


def test_an_archived_agent_is_not_spoken_to() -> None:
    agent = make_agent(archived_at=timezone.now())
    with pytest.raises(SendError, match="archived"):
        send_message(make_conversation(agent=agent), "Hello")
    with pytest.raises(SendError, match="archived"):
        start_conversation(agent.owner, agent, "Hello")


@pytest.mark.parametrize("status", ["stopped", "error", "interrupted", "done"])
def test_any_ended_answer_may_be_tried_again(status: str) -> None:
    answer = finish(make_answer("Hi"), "part", status=status)
    again = regenerate_answer(answer)

    assert (again.parent, again.status) == (answer.parent, Message.Status.PENDING)
    answer.refresh_from_db()
    assert answer.content == "part"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("帮我写一个爬虫", "帮我写一个爬虫"),
        ("\n# A heading\nmore", "A heading"),
        ("word " * 40, ("word " * 12)[:59].rstrip() + "…"),
        ("```", "```"),
    ],
)
def test_a_title_is_the_first_line_that_says_something(text: str, title: str) -> None:
    assert make_title(text) == title


def test_conversations_are_found_by_title_and_by_what_was_said() -> None:
    user = make_user()
    agent = make_agent(owner=user)
    first = start_conversation(user, agent, "我想学做虾饺").message
    other = start_conversation(user, agent, "Plan a trip").message
    send_later = finish(Message.objects.get(parent=other))
    send_message(send_later.conversation, "We fly to Guangzhou in May")
    start_conversation(make_user(), make_agent(is_shared=True), "我也想学做虾饺")

    assert [hit.conversation for hit in search_conversations(user, "虾饺")] == [first.conversation]
    hit = search_conversations(user, "guangzhou")[0]
    assert hit.conversation == other.conversation
    assert "Guangzhou" in hit.snippet


def test_a_found_word_stands_near_the_beginning_of_its_line() -> None:
    user = make_user()
    start_conversation(user, make_agent(owner=user), "前面说了很多别的事情，" * 5 + "最后才说到虾饺怎么做")

    assert search_conversations(user, "虾饺")[0].snippet.index("虾饺") < 12


def test_a_deleted_conversation_is_found_no_more() -> None:
    user = make_user()
    conversation = start_conversation(user, make_agent(owner=user), "我想学做虾饺").message.conversation
    delete_conversation(conversation)

    assert search_conversations(user, "虾饺") == []
    assert not Conversation.objects.for_user(user).exists()
    assert not Message.objects.for_user(user).exists()
    assert Message.objects.unfinished().get().stop_requested_at is not None


def test_an_agent_that_is_no_longer_shared_is_not_sent_to() -> None:
    guest, agent = make_user(), make_agent(is_shared=True)
    conversation = make_conversation(agent=agent, user=guest)
    finish(send_message(conversation, "Hi").answer)
    agent.is_shared = False
    agent.save()

    with pytest.raises(SendError, match="withdrawn"):
        send_message(conversation, "Hi again")
    with pytest.raises(SendError, match="withdrawn"):
        regenerate_answer(Message.objects.get(role=Message.Role.ASSISTANT))
