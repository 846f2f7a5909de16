"""What a model writes into a tool call, and what a page shows of it later."""

import json

import pytest
from django.test import Client

from chat.models import Message, ToolCall
from chat.turns import run_turn
from memories.models import Memory
from tests.chat.turning import make_answer
from tests.openai_stub import Call, OpenAIStub, Reply

pytestmark = pytest.mark.django_db

FACT = "The user likes tea."
ESCAPES = r'{"content": "The user likes \u0000tea.\ud83d", "metadata": {"\u0000k": "\udc00v"}, "tags": ["\ud800"]}'
DEEP = json.dumps({"content": FACT})[:-1] + ', "metadata": {"a": %s}}'


def take_turn(stub: OpenAIStub, arguments: str, name: str = "memory_write") -> tuple[Message, ToolCall]:
    stub.answers(Reply(calls=(Call(name, arguments),)), Reply(text="Well."))
    answer = make_answer("Hi")
    list(run_turn(answer))
    answer.refresh_from_db()
    return answer, answer.tool_calls.get()


def is_shown(answer: Message) -> bool:
    client = Client()
    client.force_login(answer.conversation.user)
    return client.get(f"/conversations/{answer.conversation_id}/").status_code == 200


def test_what_escapes_hide_in_arguments_reaches_neither_database_nor_page(openai_stub: OpenAIStub) -> None:
    answer, call = take_turn(openai_stub, ESCAPES)

    memory = Memory.objects.get()
    assert (memory.content, memory.metadata, memory.tags) == (FACT, {"k": "v"}, [])
    assert (answer.status, call.status) == ("done", "done")
    assert is_shown(answer)


@pytest.mark.parametrize(
    "arguments",
    [
        *(DEEP % ("[" * depth + "]" * depth) for depth in (100, 480, 900, 20_000)),
        json.dumps({"content": FACT, "metadata": '{"a":' + "[" * 900 + "]" * 900 + "}"}),
        json.dumps({"content": FACT, "tags": "[" * 20_000}),
        '{"a":' * 5_000,
        "[" * 20_000,
    ],
    ids=["100", "480", "900", "20000", "in-metadata", "in-tags", "unclosed-objects", "unclosed-lists"],
)
def test_arguments_nested_too_deep_are_refused_and_the_turn_goes_on(openai_stub: OpenAIStub, arguments: str) -> None:
    answer, call = take_turn(openai_stub, arguments)

    assert (answer.status, answer.content, call.status) == ("done", "Well.", "error")
    assert not Memory.objects.exists()
    assert is_shown(answer)


def test_numbers_beyond_every_bound_are_no_ids_and_no_counts(openai_stub: OpenAIStub) -> None:
    for arguments in ('{"id": %s}' % ("9" * 4000), '{"id": "%s"}' % ("9" * 5000), '{"top_k": 1e999}'):
        answer, _call = take_turn(openai_stub, arguments, "memory_search")
        assert answer.status == "done"
        assert is_shown(answer)
