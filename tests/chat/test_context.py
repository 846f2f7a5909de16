import re

import pytest
from django.utils import timezone
from pytest_django import Settings

from chat.branches import load_history
from chat.context import build_context, render_system_prompt
from chat.models import Message, ToolCall
from chat.transcript import STRIDE, write_transcript
from memories.recall import Recall
from tests.chat.turning import finish, make_answer, make_branch
from tests.factories import make_agent, make_conversation
from xiajiao.texts import estimate_tokens

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "today"), [("zh-hans", r"今天是 \d+年\d+月\d+日，星期.。"), ("en", r"Today is \w+day, ")]
)
def test_the_prompt_is_in_the_agents_language_and_knows_the_day(language: str, today: str) -> None:
    prompt = render_system_prompt(make_agent(language=language, base_prompt="Be <brief> & kind."))

    assert prompt.startswith("Be <brief> & kind.")
    assert re.search(today, prompt)
    assert "memory_write" in prompt
    assert "[MEMORY]" in prompt


def test_the_prompt_stays_the_same_for_a_day() -> None:
    agent = make_agent()
    assert render_system_prompt(agent) == render_system_prompt(agent)
    assert str(timezone.localdate().year) in render_system_prompt(agent)


def test_an_agent_that_may_not_write_is_not_told_to() -> None:
    assert "memory_write" not in render_system_prompt(make_agent(allowed_tools=[]))


def test_history_is_cut_from_its_beginning_and_the_model_is_told(settings: Settings) -> None:
    settings.HISTORY_TOKENS = 2_000
    conversation = make_conversation(agent=make_agent(language="en"))
    made = make_branch(conversation, 60)
    Message.objects.filter(pk__in=[message.pk for message in made]).update(content="word " * 100)
    answer = make_answer("The last question", conversation=conversation)
    context = build_context(conversation.agent, load_history(answer), Recall())

    assert "left out" in context.system_prompt
    assert context.messages[-1] == {"role": "user", "content": "The last question"}
    total = sum(estimate_tokens(message["content"]) for message in context.messages[1:-1])
    assert 500 < total <= 2_000


def test_the_last_message_is_sent_whatever_its_length(settings: Settings) -> None:
    settings.HISTORY_TOKENS = 10
    answer = make_answer("word " * 10_000)
    context = build_context(answer.conversation.agent, load_history(answer), Recall())

    assert context.messages[-1]["content"].count("word") == 10_000


def test_a_tool_call_is_never_parted_from_its_result() -> None:
    conversation = make_conversation()
    for message in make_branch(conversation, 40)[1::2]:
        Message.objects.filter(pk=message.pk).update(content="Before.After.")
        ToolCall.objects.create(
            message=message, step=0, call_id=f"c{message.pk}", name="memory_stats", offset=7, result="r", status="done"
        )
    history = load_history(make_answer("Now?", conversation=conversation))
    for budget in range(0, 2_000, 37):
        sent = write_transcript(history, budget).messages
        asked = {call["id"] for message in sent for call in message.get("tool_calls", ())}
        told = {message["tool_call_id"] for message in sent if message["role"] == "tool"}
        assert asked == told
        assert not sent or sent[0]["role"] != "tool"


def test_the_cut_stays_for_some_turns_so_that_a_prompts_cache_holds() -> None:
    conversation = make_conversation()
    make_branch(conversation, 100)
    history = load_history(make_answer("Now?", conversation=conversation))
    beginnings = [
        write_transcript(history[:length], 300).messages[0]["content"] for length in range(60, 60 + 4 * STRIDE)
    ]

    assert len(set(beginnings)) <= 5


def test_an_interrupted_call_has_a_result_too() -> None:
    answer = finish(make_answer("Hi"), "", status="interrupted")
    ToolCall.objects.create(
        message=answer, step=0, call_id="c", name="memory_stats", status="interrupted", arguments="{"
    )
    history = load_history(make_answer("Now?", conversation=answer.conversation))
    sent = write_transcript(history, 10_000).messages

    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "user"]
    assert "interrupted" in sent[2]["content"]
    assert sent[1]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_an_answer_that_came_to_nothing_is_not_told() -> None:
    answer = finish(make_answer("Hi"), "", status="error")
    history = load_history(make_answer("Again", conversation=answer.conversation))

    assert [message["content"] for message in write_transcript(history, 10_000).messages] == ["Hi", "Again"]
