"""What an agent wrote into its files, after the message that it came from was edited or deleted."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from chat.asking import SHOWN, list_questions
from chat.deletion import delete_conversation, delete_message, restore_conversation, restore_message
from chat.extraction.ends import close
from chat.extraction.running import extract
from chat.models import Conversation, Message
from chat.profile_losses import find_lost_changes
from chat.sending import edit_message
from memories.models import ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.profiles.tools import profile_add
from memories.profiles.undoing import undo_change
from tests.chat.remembering import Talk, answer_to, begin_talk
from tests.chat.turning import finish, load, make_answer
from tests.factories import make_agent, make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import User
from xiajiao.tools import Scope

pytestmark = pytest.mark.django_db

HX = {"HX-Request": "true"}


@pytest.fixture
def talk(user: User, openai_stub: OpenAIStub) -> Talk:
    return begin_talk(openai_stub, make_agent(owner=user, language="en"))


def note(talk: Talk, text: str = "I drink tea") -> Message:
    message = talk.say(text)
    conversation = talk.conversation
    scope = Scope(
        conversation.agent_id, conversation.user_id, conversation.pk, answer_to(message).pk, user_message_id=message.pk
    )
    profile_add.call(scope, {"file": "user", "section": "Likes", "content": text})
    return message


def text_of(talk: Talk) -> str:
    return read_file(make_key(talk.conversation.agent, "user", talk.conversation.user_id)).text


def test_a_deleted_message_asks_about_the_change_and_it_is_taken_back(signed_in: Client, talk: Talk) -> None:
    talk.say("Hello")
    delete_message(load(note(talk)))
    page = signed_in.get(f"/conversations/{talk.conversation.pk}/").content.decode()
    assert "1 change of the agent's files lost what it came from" in page
    assert "lost what it came from" in signed_in.get("/losses/notice/").content.decode()
    [change] = find_lost_changes(talk.conversation.user)
    address = f"/losses/changes/{change.pk}/"
    answered = signed_in.post(address, {"answer": "undo", "conversation": talk.conversation.pk}, headers=HX)
    assert "It is taken back." in answered.content.decode()
    assert (text_of(talk), list_questions(talk.conversation.user).changes.count) == ("", 0)
    assert signed_in.post(address, {"answer": "undo"}).status_code == 404


def test_what_is_kept_is_asked_about_no_more(signed_in: Client, talk: Talk) -> None:
    message = note(talk)
    finish(edit_message(load(message), "I drink coffee").answer)
    [change] = find_lost_changes(talk.conversation.user, talk.conversation)
    signed_in.post(f"/losses/changes/{change.pk}/", {"answer": "keep"})
    assert text_of(talk) == "## Likes\nI drink tea\n"
    assert not find_lost_changes(talk.conversation.user)


def test_what_comes_back_needs_no_answer(talk: Talk) -> None:
    talk.say("Hello")
    message = load(note(talk))
    delete_message(message)
    restore_message(load(message))
    assert not find_lost_changes(talk.conversation.user)
    delete_conversation(talk.conversation)
    assert len(find_lost_changes(talk.conversation.user)) == 1
    restore_conversation(talk.conversation)
    assert not find_lost_changes(talk.conversation.user)


def test_what_was_written_over_is_left_and_it_is_said(signed_in: Client, talk: Talk, client: Client) -> None:
    delete_message(load(note(talk)))
    key = make_key(talk.conversation.agent, "user", talk.conversation.user_id)
    change_file(key, lambda _text: "## Likes\nI drink coffee now\n", ProfileChange("edited", "person"))
    [change] = find_lost_changes(talk.conversation.user)
    page = signed_in.post(f"/losses/changes/{change.pk}/", {"answer": "undo"}, follow=True)
    assert "by hand, in its history" in page.content.decode()
    assert text_of(talk) == "## Likes\nI drink coffee now\n"
    client.force_login(make_user())
    assert client.post(f"/losses/changes/{change.pk}/", {"answer": "keep"}).status_code == 404


def lose(talk: Talk, first: int, last: int) -> None:
    """Changes that lost what they came from, each a line of its own."""
    for number in range(first, last):
        lose_one(talk, f"- line {number}\n")


def lose_one(talk: Talk, line: str) -> None:
    agent, user = talk.conversation.agent, talk.conversation.user
    reason = {"lost": "deleted"}
    change = ProfileChange("added", "agent", user.pk, conversation_id=talk.conversation.pk, reason=reason)
    change_file(make_key(agent, "user", user.pk), lambda text: text + line, change)


def test_many_cost_no_more_questions_than_few_and_are_shown_bit_by_bit(
    signed_in: Client, talk: Talk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    lose(talk, 0, 3)
    with CaptureQueriesContext(connection) as few:
        assert "3 changes of the agent" in signed_in.get("/losses/").text
    lose(talk, 3, 30)
    with django_assert_num_queries(len(few)):
        page = signed_in.get("/losses/").text
    assert "30 changes of the agent" in page
    assert page.count("See the change, word by word") == SHOWN
    assert "10 more are shown when these are decided." in page


def test_what_lost_its_source_is_found_without_reading_the_texts_of_files(talk: Talk) -> None:
    note(talk)
    with CaptureQueriesContext(connection) as asked:
        delete_conversation(talk.conversation)
    assert find_lost_changes(talk.conversation.user)
    assert [each["sql"] for each in asked if '"memories_profilerevision"."before"' in each["sql"]] == []


def test_what_is_undone_already_is_not_asked_about(signed_in: Client, talk: Talk) -> None:
    user = talk.conversation.user
    lose(talk, 0, 4)
    first, _second, third, _fourth = ProfileRevision.objects.order_by("version")
    undone = undo_change(first, user)
    assert [each.version for each in find_lost_changes(user)] == [4, 3, 2]
    signed_in.post(f"/agents/files/changes/{third.pk}/restore/", {"before": 1, "version": 5})
    assert [each.version for each in find_lost_changes(user)] == [2, 1]
    assert undone is not None
    signed_in.post(f"/agents/files/changes/{undone.pk}/restore/", {"version": 6})
    assert [each.version for each in find_lost_changes(user)] == [4, 3, 2]


def test_a_days_line_asks_when_what_it_tells_of_is_rewritten(user: User) -> None:
    answer = finish(make_answer("I live in Zanzibar.", agent=make_agent(owner=user, language="en")))
    look_through(answer.conversation)
    assert "Zanzibar" in (line := ProfileRevision.objects.get()).after
    assert answer.parent is not None
    edit_message(load(answer.parent), "I live in Reykjavik.")

    assert find_lost_changes(user) == [line]


def test_what_stands_in_a_file_leads_nowhere_when_its_conversation_is_gone(signed_in: Client, talk: Talk) -> None:
    note(talk)
    look_through(talk.conversation)
    address = f"/agents/{talk.conversation.agent_id}/files/user/"
    assert "from this message" in signed_in.get(address).text
    talk.conversation.delete()

    assert "from this message" not in signed_in.get(address).text
    assert not ProfileRevision.objects.exclude(conversation_id=None, message_id=None, answer_id=None).exists()


def look_through(conversation: Conversation) -> None:
    conversation.refresh_from_db()
    job = close(conversation)
    assert job is not None
    extract(job)
