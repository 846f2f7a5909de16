import json
from typing import Any

import pytest
from pytest_django import Settings

from chat.events import MemoriesRecalled, ToolCalled, ToolReturned, TurnFinished, TurnStarted
from chat.models import Message, Recalled, Remembered, ToolCall
from chat.stopping import StopSignal
from chat.turns import run_turn
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent
from tests.openai_stub import Call, OpenAIStub, Reply, calls
from xiajiao.llm.base import ReasoningDelta, TextDelta

pytestmark = pytest.mark.django_db

MANUAL = Origin(actor="person", source="manual")


def remember(agent: Agent, text: str, **columns: Any) -> Memory:
    return write(agent, agent.owner_id, Draft(text, **columns), MANUAL).memory


def messages_sent(stub: OpenAIStub, number: int = -1) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = stub.requests[number]["messages"]
    return sent


def test_an_answer_is_streamed_and_saved(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Hello there, friend.")
    answer = make_answer("Hi")

    events = list(run_turn(answer))

    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text == "Hello there, friend."
    assert isinstance(events[0], TurnStarted)
    assert events[-1] == TurnFinished("done")
    answer.refresh_from_db()
    assert (answer.content, answer.status, answer.model_name) == (text, "done", "stub-model")
    assert answer.finished_at is not None
    assert answer.completion_tokens


def test_tool_result_goes_back_to_the_model(openai_stub: OpenAIStub) -> None:
    agent = make_agent()
    remember(agent, "The user likes dumplings")
    openai_stub.answers(Reply(text="Let me look.", calls=(Call("memory_search", '{"query": "dumplings"}'),)))
    openai_stub.says("Dumplings.")
    answer = make_answer("What do I like?", agent=agent)

    events = list(run_turn(answer))

    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert "The user likes dumplings" in returned.result
    asked, result = messages_sent(openai_stub)[-2:]
    assert asked["content"] == "Let me look."
    assert asked["tool_calls"][0]["id"] == result["tool_call_id"]
    assert (result["role"], result["content"]) == ("tool", returned.result)
    call = ToolCall.objects.get()
    assert (call.status, call.offset, call.step, call.result) == ("done", len("Let me look."), 0, returned.result)
    assert answer.content == "Let me look.Dumplings."


def test_what_a_tool_remembered_stands_under_the_answer(openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_save", content="The user works at a bakery.")
    openai_stub.says("Noted.")
    answer = make_answer("I work at a bakery.")

    list(run_turn(answer))

    remembered = Remembered.objects.get(message=answer)
    assert (remembered.action, remembered.content) == ("added", "The user works at a bakery.")
    assert remembered.tool_call == ToolCall.objects.get()
    assert remembered.memory.user == answer.conversation.user
    assert remembered.memory.message_ids == [answer.parent_id]


def test_a_call_is_committed_before_it_runs(openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_stats")
    openai_stub.says("None.")

    for event in run_turn(make_answer("How many?")):
        if isinstance(event, ToolCalled):
            assert ToolCall.objects.get(pk=event.id).status == ToolCall.Status.RUNNING


def test_recalled_memories_go_into_the_prompt_and_under_the_answer(openai_stub: OpenAIStub) -> None:
    agent = make_agent(language="zh-hans", base_prompt="你是助手。")
    memory = remember(agent, "用户是 Python 后端开发。")
    rule = remember(agent, "回复要简洁。", category="procedural")
    openai_stub.says("Python。")
    answer = make_answer("我用什么编程语言？", agent=agent)

    events = list(run_turn(answer))

    prompt = messages_sent(openai_stub)[0]["content"]
    assert prompt.startswith("你是助手。")
    assert f"- [M{memory.pk}] 用户是 Python 后端开发。" in prompt
    places = [prompt.index(piece) for piece in ("### 语义记忆", "用户是 Python", "### 程序性记忆", "回复要简洁。")]
    assert places == sorted(places)
    assert MemoriesRecalled(2, known=[rule.pk, memory.pk]) in events
    assert {(row.reason, row.was_cut) for row in Recalled.objects.filter(message=answer)} == {
        ("procedural", False),
        ("relevant", False),
    }
    answer.refresh_from_db()
    assert answer.system_prompt == prompt


def test_an_agent_that_recalls_nothing_is_sent_no_memory(openai_stub: OpenAIStub) -> None:
    agent = make_agent(auto_inject_memory=False)
    remember(agent, "The user likes dumplings", pinned=True)
    openai_stub.says("No idea.")

    list(run_turn(make_answer("What do I like?", agent=agent)))

    assert "dumplings" not in messages_sent(openai_stub)[0]["content"]


def test_memories_may_stand_just_before_the_last_message(openai_stub: OpenAIStub) -> None:
    agent = make_agent(memory_position=Agent.MemoryPosition.BEFORE_MESSAGE, language="en")
    remember(agent, "The user likes dumplings", pinned=True)
    first = finish(make_answer("Hi", agent=agent))
    openai_stub.says("Dumplings.")

    list(run_turn(make_answer("What do I like?", conversation=first.conversation)))

    sent = messages_sent(openai_stub)
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "system", "user"]
    assert "dumplings" not in sent[0]["content"]
    assert "dumplings" in sent[3]["content"]


def test_past_tool_calls_are_told_with_their_results(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(calls(("memory_stats", {}), ("memory_list_types", {}), text="Looking."))
    openai_stub.says("Done.")
    first = make_answer("How many?")
    list(run_turn(first))
    openai_stub.says("Again.")

    list(run_turn(make_answer("And now?", conversation=first.conversation)))

    roles = [message["role"] for message in messages_sent(openai_stub)]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]
    assert messages_sent(openai_stub)[2]["content"] == "Looking."
    assert messages_sent(openai_stub)[5]["content"] == "Done."


def test_reasoning_is_kept_apart_from_the_answer(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(text="42.", reasoning="Let me think. It is 42."))
    answer = make_answer("What is it?")

    events = list(run_turn(answer))

    assert any(isinstance(event, ReasoningDelta) for event in events)
    answer.refresh_from_db()
    assert (answer.content, answer.reasoning) == ("42.", "Let me think. It is 42.")


def test_tokens_of_all_steps_are_summed(openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_stats")
    openai_stub.says("None.")
    once = make_answer("Hi")
    list(run_turn(once))
    openai_stub.says("None.")
    alone = make_answer("Hi")
    list(run_turn(alone))

    assert once.completion_tokens is not None
    assert alone.completion_tokens is not None
    assert once.completion_tokens > alone.completion_tokens


def test_a_stream_that_is_cut_keeps_what_came(openai_stub: OpenAIStub) -> None:
    openai_stub.says("one two three four five six", cut_after=3)
    answer = make_answer("Count")

    events = list(run_turn(answer))

    assert events[-1] == TurnFinished("error", "cut_off")
    answer.refresh_from_db()
    assert answer.content.startswith("one two")
    assert answer.is_retryable


def test_an_empty_answer_is_an_error(openai_stub: OpenAIStub) -> None:
    openai_stub.says("")

    assert list(run_turn(make_answer("Hi")))[-1] == TurnFinished("error", "empty")


def test_a_providers_refusal_is_told_in_its_own_words(openai_stub: OpenAIStub) -> None:
    openai_stub.fails(401, "Incorrect API key provided.")
    answer = make_answer("Hi")

    list(run_turn(answer))

    answer.refresh_from_db()
    assert (answer.status, answer.error_code) == ("error", "unauthorized")
    assert "Incorrect API key" in answer.error_detail


def test_an_answer_cut_by_its_limit_of_length_says_so(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Once upon a", finish_reason="length")

    assert list(run_turn(make_answer("Tell")))[-1] == TurnFinished("done", "length")


def test_an_unknown_tool_is_answered_with_those_that_exist(openai_stub: OpenAIStub) -> None:
    openai_stub.calls("launch_rocket", target="moon")
    openai_stub.says("I can't.")

    events = list(run_turn(make_answer("Launch it")))

    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert returned.is_error
    assert "memory_write" in returned.result
    assert events[-1] == TurnFinished("done")


@pytest.mark.parametrize(
    "arguments", ["no JSON at all", "[1, 2]", '"text"', "{" * 30_000, "[" * 30_000, '{"a":' * 9_000, "null", "\\u0000"]
)
def test_arguments_that_are_no_object_are_answered_with_an_example(openai_stub: OpenAIStub, arguments: str) -> None:
    openai_stub.answers(Reply(calls=(Call("memory_write", arguments),)))
    openai_stub.says("Sorry.")

    events = list(run_turn(make_answer("Remember it")))

    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert returned.is_error
    assert events[-1] == TurnFinished("done")
    assert json.loads(messages_sent(openai_stub)[-2]["tool_calls"][0]["function"]["arguments"]) in ({}, {"a": {}})


def test_almost_json_is_read_as_it_was_meant(openai_stub: OpenAIStub) -> None:
    broken = "{'content': 'The user likes tea.', category: semantic,}"
    openai_stub.answers(Reply(calls=(Call("memory_write", broken),)))
    openai_stub.says("Noted.")

    list(run_turn(make_answer("I like tea")))

    assert Memory.objects.get().content == "The user likes tea."


def test_a_model_that_never_stops_calling_is_stopped(openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.TURN_MAX_STEPS = 5
    openai_stub.always(calls(("memory_stats", {})))

    events = list(run_turn(make_answer("Go")))

    assert events[-1] == TurnFinished("error", "too_many_steps")
    assert len(openai_stub.requests) == 5


def test_a_thousand_calls_in_a_row_are_cut_short(openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.TURN_MAX_STEPS = 1_000
    openai_stub.always(calls(*[("memory_list_types", {})] * 9))

    events = list(run_turn(make_answer("Go")))

    assert events[-1] == TurnFinished("error", "too_many_calls")
    assert ToolCall.objects.count() == 40
    assert not ToolCall.objects.filter(status=ToolCall.Status.RUNNING).exists()


def test_a_thousand_calls_in_one_step_end_with_a_reason(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(calls(*[("memory_list_types", {})] * 1_000))

    last = list(run_turn(make_answer("Go")))[-1]

    assert isinstance(last, TurnFinished)
    assert last.status == "error"
    assert ToolCall.objects.count() <= 40


def test_a_reply_of_two_megabytes_is_cut_and_kept(openai_stub: OpenAIStub) -> None:
    openai_stub.says("", deltas=tuple("dumpling " * 1000 for _ in range(240)))
    answer = make_answer("Write")

    last = list(run_turn(answer))[-1]

    assert last == TurnFinished("error", "too_long_reply")
    answer.refresh_from_db()
    assert 900_000 < len(answer.content) <= 2_100_000


def test_what_no_database_takes_is_dropped_from_text_and_arguments(openai_stub: OpenAIStub) -> None:
    arguments = '{"content": "The user likes \\u0000tea \\ud83d."}'
    openai_stub.answers(Reply(text="nul \0 here", calls=(Call("memory_write", arguments),)))
    openai_stub.says("half \ud83d done")
    answer = make_answer("Hi")

    assert list(run_turn(answer))[-1] == TurnFinished("done")

    answer.refresh_from_db()
    assert "\0" not in answer.content
    assert Memory.objects.get().content == "The user likes tea ."


def test_a_stop_keeps_the_partial(openai_stub: OpenAIStub) -> None:
    openai_stub.says("word " * 200, rate=50)
    answer, stop = make_answer("Write"), StopSignal()

    for event in run_turn(answer, stop):
        if isinstance(event, TextDelta):
            stop.set(Message.Status.STOPPED)

    answer.refresh_from_db()
    assert answer.status == "stopped"
    assert answer.content.startswith("word")
    assert len(answer.content) < 900


def test_a_bug_ends_the_answer_and_is_logged(
    openai_stub: OpenAIStub, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    settings.TURN_MAX_STEPS = "three"
    answer = make_answer("Hi")

    assert list(run_turn(answer))[-1] == TurnFinished("error", "crashed")
    assert f"The turn of message {answer.pk} failed" in caplog.text


def test_a_tool_that_is_not_allowed_does_not_exist(openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_write", content="The user likes tea.")
    openai_stub.says("I can't.")

    list(run_turn(make_answer("Hi", agent=make_agent(allowed_tools=["memory_search"]))))

    assert not Memory.objects.exists()
    assert [tool["function"]["name"] for tool in openai_stub.requests[0]["tools"]] == ["memory_search"]
