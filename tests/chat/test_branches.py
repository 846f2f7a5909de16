import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.branches import Span, load_branch, load_history, switch_branch
from chat.models import ToolCall
from chat.sending import edit_message, regenerate_answer
from tests.chat.turning import finish, make_answer, make_branch
from tests.factories import make_conversation

pytestmark = pytest.mark.django_db


def test_a_regenerated_answer_stands_beside_the_first() -> None:
    first = finish(make_answer("Hi"))
    second = finish(regenerate_answer(first))
    page = load_branch(second.conversation)

    assert [item.message for item in page.items] == [first.parent, second]
    assert [(item.position, item.count) for item in page.items] == [(1, 1), (2, 2)]
    assert page.items[1].previous_id == first.pk
    assert page.items[1].next_id is None


def test_an_edit_begins_a_branch_and_leaves_the_old_one_whole() -> None:
    answer = finish(make_answer("Hi"))
    follow_up = finish(make_answer("And?", conversation=answer.conversation))
    assert answer.parent is not None
    sent = edit_message(answer.parent, "Hello")
    finish(sent.answer)
    assert [item.message for item in load_branch(sent.message.conversation).items] == [sent.message, sent.answer]

    switch_branch(answer.parent)

    conversation = answer.conversation
    conversation.refresh_from_db()
    shown = [item.message for item in load_branch(conversation).items]
    assert shown == [answer.parent, answer, follow_up.parent, follow_up]
    assert load_branch(conversation).items[0].next_id == sent.message.pk


def test_a_branch_of_two_thousand_messages_is_read_page_by_page() -> None:
    conversation = make_conversation()
    made = make_branch(conversation, 2_000)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = load_branch(conversation)
    assert len(queries) <= 10

    shown = [item.message.pk for item in page.items]
    while page.older_than is not None:
        page = load_branch(conversation, Span(before=page.older_than))
        shown = [item.message.pk for item in page.items] + shown

    assert shown == [message.pk for message in made]


def test_a_page_brings_tool_calls_in_one_query() -> None:
    conversation = make_conversation()
    for message in make_branch(conversation, 20)[1::2]:
        ToolCall.objects.create(message=message, step=0, call_id="c", name="memory_stats")
    page = load_branch(conversation)

    with CaptureQueriesContext(connection) as queries:
        assert sum(len(item.message.tool_calls.all()) for item in page.items) == 10
    assert len(queries) == 0


def test_history_is_the_branch_above_an_answer_alone() -> None:
    first = finish(make_answer("Hi"))
    second = finish(regenerate_answer(first))
    third = make_answer("And?", conversation=second.conversation)

    assert load_history(third) == [first.parent, second, third.parent]


def test_an_empty_conversation_has_an_empty_branch() -> None:
    assert load_branch(make_conversation()).items == []
