"""A message or a conversation is deleted, brought back, and in the end removed for good."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.branches import load_branch, switch_branch
from chat.deletion import delete_conversation, delete_message, purge, restore_message
from chat.models import Conversation, Message, Recalled, SourceLoss, ToolCall
from chat.search import search_conversations
from chat.sending import SendError, edit_message, regenerate_answer, send_message
from chat.tasks import purge_deleted
from memories.changes import UNDO_TIME
from tests.chat.turning import finish, load, make_answer, make_branch
from tests.factories import make_agent, make_conversation, make_memory, make_user
from xiajiao.models import IndexedText, User

pytestmark = pytest.mark.django_db


def texts(conversation: Conversation) -> list[str]:
    conversation.refresh_from_db()
    return [item.message.content for item in load_branch(conversation).items]


def age(by: timedelta) -> None:
    for rows in (Message.objects, Conversation.objects):
        rows.filter(deleted_at__isnull=False).update(deleted_at=timezone.now() - by)


@pytest.fixture
def branch() -> list[Message]:
    """Message 0 to Message 5, indexed as if they had been sent."""
    conversation = make_conversation(title="Talk")
    for number in range(3):
        answer = finish(make_answer(f"Message {2 * number}", conversation=conversation), f"Message {2 * number + 1}")
        conversation.refresh_from_db()
    return list(answer.conversation.messages.order_by("pk"))


def test_a_message_goes_with_all_below_it_and_its_parent_is_read(branch: list[Message]) -> None:
    delete_message(load(branch[2]))

    assert texts(branch[0].conversation) == ["Message 0", "Message 1"]
    assert Message.objects.kept().count() == 2


def test_siblings_stay_and_the_nearest_is_read() -> None:
    first = finish(make_answer("Hi"), "One")
    second = finish(regenerate_answer(first), "Two")
    third = finish(regenerate_answer(second), "Three")
    delete_message(load(third))
    assert texts(first.conversation) == ["Hi", "Two"]
    assert load_branch(first.conversation).items[1].count == 2

    delete_message(load(first))
    assert texts(first.conversation) == ["Hi", "Two"]
    delete_message(load(second))
    assert texts(first.conversation) == ["Hi"]


def test_the_eldest_hands_on_to_the_next(branch: list[Message]) -> None:
    sent = edit_message(load(branch[0]), "Another beginning")
    finish(sent.answer, "Well")
    switch_branch(load(branch[5]))
    delete_message(load(branch[0]))

    assert texts(sent.message.conversation) == ["Another beginning", "Well"]


def test_what_is_not_read_is_deleted_without_a_move(branch: list[Message]) -> None:
    finish(edit_message(load(branch[0]), "Another beginning").answer, "Well")
    delete_message(load(branch[2]))

    assert texts(branch[0].conversation) == ["Another beginning", "Well"]
    assert Message.objects.filter(deleted_at__isnull=False).count() == 4


def test_the_only_message_leaves_an_empty_conversation_that_can_be_written_into(branch: list[Message]) -> None:
    delete_message(load(branch[0]))
    assert texts(branch[0].conversation) == []

    finish(send_message(load(branch[0]).conversation, "Again").answer, "Yes")
    assert texts(branch[0].conversation) == ["Again", "Yes"]


def test_nothing_is_deleted_while_an_answer_is_being_written(branch: list[Message]) -> None:
    regenerate_answer(load(branch[5]))
    with pytest.raises(SendError, match="busy"):
        delete_message(load(branch[0]))

    assert Message.objects.kept().count() == 7


@pytest.mark.parametrize("place", [0, 2, 3, 5])
def test_undoing_brings_back_what_went_together(branch: list[Message], place: int) -> None:
    message = branch[place]
    before = texts(message.conversation)
    delete_message(load(message))
    delete_message(load(message))
    restore_message(load(message))

    assert texts(message.conversation) == before


def test_what_was_deleted_earlier_stays_deleted(branch: list[Message]) -> None:
    delete_message(load(branch[4]))
    delete_message(load(branch[2]))
    restore_message(load(branch[2]))

    assert texts(branch[0].conversation) == [f"Message {number}" for number in range(4)]


def test_what_stands_on_something_deleted_brings_that_back_too(branch: list[Message]) -> None:
    delete_message(load(branch[4]))
    delete_message(load(branch[2]))
    restore_message(load(branch[4]))

    assert texts(branch[0].conversation) == [f"Message {number}" for number in range(6)]


def test_what_is_deleted_is_found_no_more_until_it_is_back(branch: list[Message]) -> None:
    user = branch[0].conversation.user
    assert search_conversations(user, "Message")
    delete_message(load(branch[0]))
    assert search_conversations(user, "Message") == []

    restore_message(load(branch[0]))
    assert search_conversations(user, "Message")


def test_the_sweep_removes_what_nobody_may_bring_back_any_more(branch: list[Message]) -> None:
    conversation = branch[0].conversation
    memory = make_memory(conversation.agent, "I like tea")
    Recalled.objects.create(message=branch[3], memory=memory, content="x", category="semantic", rank=1, reason="pinned")
    ToolCall.objects.create(message=branch[3], step=0, call_id="c", name="memory_stats")
    delete_message(load(branch[2]))
    purge_deleted()
    assert Message.objects.count() == 6

    age(UNDO_TIME + timedelta(seconds=1))
    purge_deleted()
    assert Message.objects.count() == 2
    assert not Recalled.objects.exists()
    assert not ToolCall.objects.exists()
    assert texts(conversation) == ["Message 0", "Message 1"]
    assert purge() == 0


def test_the_sweep_removes_conversations_and_their_words_in_the_index(branch: list[Message]) -> None:
    conversation = branch[0].conversation
    kept = make_conversation("Stays", agent=conversation.agent)
    delete_conversation(conversation)
    age(UNDO_TIME - timedelta(minutes=1))
    purge_deleted()
    assert Conversation.objects.count() == 2

    age(UNDO_TIME + timedelta(seconds=1))
    purge_deleted()
    assert list(Conversation.objects.all()) == [kept]
    assert Message.objects.count() == 1
    assert not IndexedText.objects.filter(namespace=f"messages:{conversation.user_id}").exists()


def test_a_question_outlives_the_message_that_it_is_about(branch: list[Message]) -> None:
    conversation = branch[0].conversation
    memory = make_memory(conversation.agent, "I like tea")
    message = load(branch[2])
    loss = SourceLoss(
        user=conversation.user, memory=memory, conversation=conversation, message=message, cause="deleted"
    )
    loss.save()
    delete_message(message)
    age(UNDO_TIME * 2)
    purge_deleted()

    loss.refresh_from_db()
    assert (loss.message, loss.state) == (None, "open")


def test_a_message_is_deleted_and_brought_back_in_the_page(signed_in: Client, user: User) -> None:
    made = make_branch(make_conversation(agent=make_agent(owner=user)), 4)
    page = signed_in.post(f"/messages/{made[2].pk}/delete/", headers={"HX-Request": "true"}).content.decode()
    assert f'id="message-{made[1].pk}"' in page
    assert f'id="message-{made[2].pk}"' not in page
    undo = f"/messages/{made[2].pk}/restore/"
    assert undo in page

    assert signed_in.get(f"/messages/{made[3].pk}/").status_code == 404
    response = signed_in.post(undo)
    assert response["Location"].startswith(f"/conversations/{made[0].conversation_id}/?message={made[2].pk}")
    assert f'id="message-{made[3].pk}"' in signed_in.get(response["Location"]).content.decode()


@pytest.mark.parametrize("is_staff", [False, True])
def test_nobody_else_deletes_or_restores(client: Client, user: User, is_staff: bool) -> None:
    made = make_branch(make_conversation(agent=make_agent(owner=user)), 4)
    client.force_login(make_user(is_staff=is_staff))
    assert client.post(f"/messages/{made[0].pk}/delete/").status_code == 404
    delete_message(load(made[0]))

    assert client.post(f"/messages/{made[0].pk}/restore/").status_code == 404
    assert not Message.objects.kept().exists()


@pytest.mark.django_db(transaction=True)
def test_a_message_whose_answer_was_deleted_can_be_answered_again(turns: None, signed_in: Client, user: User) -> None:
    made = make_branch(make_conversation(agent=make_agent(owner=user)), 2)
    page = signed_in.post(f"/messages/{made[1].pk}/delete/").content.decode()
    assert "Ask for an answer" in page
    assert f'hx-post="/messages/{made[0].pk}/answers/"' in page

    signed_in.post(f"/messages/{made[0].pk}/answers/")
    assert Message.objects.kept().filter(parent=made[0], role="assistant").count() == 1
