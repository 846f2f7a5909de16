"""The door to chat models, on a real socket: what well-behaved servers do."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.factories import make_source
from tests.openai_stub import OpenAIStub, Reply, calls
from xiajiao.llm import complete, list_models, stream_reply
from xiajiao.llm.base import ChatRequest, ModelError, ModelEvent, ReasoningDelta, StepFinished, TextDelta, Usage

ASKED = ChatRequest(messages=[{"role": "user", "content": "What do I like?"}])
TOOL = {"type": "function", "function": {"name": "memory_search", "parameters": {"type": "object"}}}


def play(stub: OpenAIStub, request: ChatRequest = ASKED, **source: Any) -> tuple[list[ModelEvent], ModelError | None]:
    """The events of one step, and the error that it ended with."""
    events: list[ModelEvent] = []
    try:
        for event in stream_reply(make_source(stub, **source), request):
            events.append(event)
    except ModelError as error:
        return events, error
    return events, None


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def test_a_reply_comes_in_deltas_and_ends_with_its_usage(openai_stub: OpenAIStub) -> None:
    openai_stub.says("You like 虾饺 best.")
    events, error = play(openai_stub)

    assert error is None
    assert text_of(events) == "You like 虾饺 best."
    assert len(events) > 4
    assert events[-1] == StepFinished((), Usage(11, 5), "stop")


def test_the_request_is_sent_as_it_was_made(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.")
    request = ChatRequest(
        ASKED.messages, [TOOL], temperature=0.2, max_tokens=50, response_format={"type": "json_object"}
    )
    play(openai_stub, request)

    sent = openai_stub.requests[0]
    assert sent["messages"] == ASKED.messages
    assert sent["tools"] == [TOOL]
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("stub-model", 0.2, 50)
    assert sent["response_format"] == {"type": "json_object"}
    assert openai_stub.request_headers[0]["authorization"] == "Bearer sk-stub-key-of-tests"


def test_what_is_not_set_is_not_sent(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.")
    play(openai_stub)

    assert set(openai_stub.requests[0]) == {"model", "messages", "stream", "stream_options"}


def test_parallel_tool_calls_keep_their_order_ids_and_arguments(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(calls(("memory_search", {"query": "喜欢什么"}), ("memory_write", {"content": "“虾饺”"})))
    events, _ = play(openai_stub)

    finished = events[-1]
    assert isinstance(finished, StepFinished)
    assert [(call.name, call.arguments) for call in finished.calls] == [
        ("memory_search", '{"query": "喜欢什么"}'),
        ("memory_write", '{"content": "“虾饺”"}'),
    ]
    assert len({call.id for call in finished.calls}) == 2
    assert finished.finish_reason == "tool_calls"


def test_thoughts_are_told_from_the_answer(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Dumplings.", reasoning="The memory says so.")
    openai_stub.says(
        "<think>\nThe memory</think>\n\nDumplings.",
        deltas=("<th", "ink>\nThe mem", "ory</", "think>\n\nDump", "lings."),
    )

    for _ in range(2):
        events, _error = play(openai_stub)
        assert text_of(events) == "Dumplings."
        assert "The memory" in "".join(event.text for event in events if isinstance(event, ReasoningDelta))


def test_a_text_that_only_looks_like_a_thought_is_an_answer(openai_stub: OpenAIStub) -> None:
    openai_stub.says("<thin ice> is a tag", deltas=("<", "thin", " ice> is a tag"))
    openai_stub.says("<th", deltas=("<th",))

    assert text_of(play(openai_stub)[0]) == "<thin ice> is a tag"
    assert text_of(play(openai_stub)[0]) == "<th"


def test_deltas_come_while_the_server_still_speaks(openai_stub: OpenAIStub) -> None:
    openai_stub.says("one two three four five six", rate=20)
    first: list[float] = []
    for _event in stream_reply(make_source(openai_stub), ASKED):
        first.append(time.monotonic())

    assert first[-1] - first[0] > 0.15


def test_closing_the_stream_drops_the_connection(openai_stub: OpenAIStub) -> None:
    openai_stub.says("word " * 2000, rate=200)
    events = stream_reply(make_source(openai_stub), ASKED)
    next(events)
    events.close()

    assert openai_stub.dropped.acquire(timeout=60)


def test_complete_gives_the_whole_text(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Dumplings, of course.")

    assert complete(make_source(openai_stub), ASKED) == "Dumplings, of course."


def test_the_models_of_a_server_are_listed(openai_stub: OpenAIStub) -> None:
    openai_stub.models = ["qwen3:8b", "llama3.2", "qwen3:8b"]

    assert list_models(make_source(openai_stub)) == ["qwen3:8b", "llama3.2"]


def test_without_a_chosen_model_the_only_one_answers(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.")
    openai_stub.models = ["the-only-one"]
    play(openai_stub, model="")

    assert openai_stub.requests[0]["model"] == "the-only-one"

    openai_stub.models = ["one", "two"]
    events, error = play(openai_stub, model="")
    assert (events, error and error.code) == ([], "no_model")


def test_a_source_with_a_problem_says_it_at_its_use(openai_stub: OpenAIStub) -> None:
    events, error = play(openai_stub, problem="unreadable_key")

    assert (events, error and error.code) == ([], "unreadable_key")
    assert openai_stub.requests == []


def test_texts_that_no_encoder_takes_don_t_stop_a_request(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.")
    _events, error = play(openai_stub, ChatRequest([{"role": "user", "content": "a\ud800b\0c 🥟"}]))

    assert error is None
    assert openai_stub.requests[0]["messages"][0]["content"] == "abc 🥟"


def test_sixty_streams_at_once_each_get_their_own_words(openai_stub: OpenAIStub) -> None:
    def echo(body: dict[str, Any]) -> Reply:
        return Reply(text=f"{body['messages'][0]['content']} " * 40, rate=40)

    openai_stub.always(echo)

    def ask(number: int) -> str:
        return complete(make_source(openai_stub), ChatRequest([{"role": "user", "content": f"w{number}"}]))

    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(ask, range(60)))

    assert answers == [f"w{number} " * 40 for number in range(60)]
