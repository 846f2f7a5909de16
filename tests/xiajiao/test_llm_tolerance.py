"""What compatible servers really do: each ends as an answer or as a sentence, with what was received kept."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.factories import make_source
from tests.openai_stub import Call, OpenAIStub, Reply, calls
from tests.xiajiao.test_llm import ASKED, TOOL, play, text_of
from xiajiao.llm import list_models
from xiajiao.llm.base import ChatRequest, RequestedCall, StepFinished

LONG_ARGUMENTS = {"content": "用户喜欢虾饺，也喜欢 dumplings of every other kind"}


def calls_of(stub: OpenAIStub) -> tuple[RequestedCall, ...]:
    events, error = play(stub)
    assert error is None
    assert isinstance(events[-1], StepFinished)
    return events[-1].calls


@pytest.mark.parametrize("with_ids", [True, False])
@pytest.mark.parametrize("with_index", [True, False])
def test_fragments_of_calls_find_each_other(openai_stub: OpenAIStub, with_index: bool, with_ids: bool) -> None:
    two = calls(("memory_write", LONG_ARGUMENTS), ("memory_write", {"content": "another"}))
    openai_stub.answers(replace(two, sends_index=with_index, sends_ids=with_ids))
    made = calls_of(openai_stub)

    assert [json.loads(call.arguments) for call in made] == [LONG_ARGUMENTS, {"content": "another"}]
    assert len({call.id for call in made}) == 2
    assert all(call.id for call in made)


def raw_stream(*deltas: dict[str, Any], end: str = "tool_calls") -> Reply:
    lines = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    lines.append({"choices": [{"index": 0, "delta": {}, "finish_reason": end}]})
    return Reply(raw="".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n")


def fragment(**parts: Any) -> dict[str, Any]:
    function = {key: parts.pop(key) for key in ("name", "arguments") if key in parts}
    return {"tool_calls": [parts | {"function": function}]}


def test_calls_that_share_index_zero_are_told_apart_by_their_ids(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(
        raw_stream(
            fragment(index=0, id="a", name="one", arguments='{"x": 1}'),
            fragment(index=0, id="b", name="two", arguments='{"x": '),
            fragment(index=0, arguments="2}"),
        )
    )

    assert calls_of(openai_stub) == (RequestedCall("a", "one", '{"x": 1}'), RequestedCall("b", "two", '{"x": 2}'))


def test_id_and_name_repeated_in_each_fragment_are_one_call(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(raw_stream(*[fragment(id="a", name="one", arguments=piece) for piece in ('{"x"', ": 1", "}")]))

    assert calls_of(openai_stub) == (RequestedCall("a", "one", '{"x": 1}'),)


def test_twice_the_same_id_under_different_indexes_gets_two_ids(openai_stub: OpenAIStub) -> None:
    whole = [fragment(index=index, id="", name=f"tool{index}", arguments={"x": index}) for index in (0, 1)]
    openai_stub.answers(raw_stream(*whole))

    first, second = calls_of(openai_stub)
    assert (first.arguments, second.arguments) == ('{"x": 0}', '{"x": 1}')
    assert first.id != second.id


def test_arguments_that_are_no_json_are_handed_on_as_they_are(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(calls=(Call("memory_write", "{content: 'dumplings',"), Call("memory_stats", ""))))

    assert [call.arguments for call in calls_of(openai_stub)] == ["{content: 'dumplings',", "{}"]


def test_a_tool_s_name_is_made_fit_to_be_sent_back(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(calls=(Call("functions.memory_write", "{}"), Call("记忆 write!", "{}"))))

    assert [call.name for call in calls_of(openai_stub)] == ["memory_write", "___write_"]


def test_no_usage_is_none(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.", sends_usage=False)
    openai_stub.answers(
        Reply(raw='data: {"choices":[{"delta":{"content":"Yes."}}],"usage":{"prompt_tokens":null}}\n\ndata: [DONE]\n\n')
    )

    for _ in range(2):
        events, error = play(openai_stub)
        assert (error, events[-1]) == (None, StepFinished())


def test_a_server_that_refuses_stream_options_is_asked_without_them_and_remembered(openai_stub: OpenAIStub) -> None:
    openai_stub.refuses = {"stream_options"}
    openai_stub.always(Reply(text="Yes."))

    assert text_of(play(openai_stub)[0]) == "Yes."
    assert text_of(play(openai_stub)[0]) == "Yes."
    assert ["stream_options" in body for body in openai_stub.requests] == [True, False, False]


@pytest.mark.parametrize(
    ("status", "message", "parameter"),
    [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools", "tools"),
        (500, "tools param requires --jinja flag", "tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "tools"),
        (400, "Unsupported value: 'temperature' does not support 0.2 with this model.", "temperature"),
        (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"),
    ],
)
def test_a_model_that_refuses_a_parameter_answers_without_it(
    openai_stub: OpenAIStub, status: int, message: str, parameter: str
) -> None:
    openai_stub.fails(status, message)
    openai_stub.says("Yes.")
    events, error = play(openai_stub, ChatRequest(ASKED.messages, [TOOL], temperature=0.2, max_tokens=9))

    assert (error, text_of(events)) == (None, "Yes.")
    assert set(openai_stub.requests[0]) - set(openai_stub.requests[1]) == {parameter}


def test_noise_between_the_chunks_is_passed_over(openai_stub: OpenAIStub) -> None:
    noise = (
        ": OPENROUTER PROCESSING",
        "event: ping",
        "data: {not json",
        "data: [1, 2]",
        "data:",
        "�garbage",
        'data: {"choices": []}',
        'data: {"choices": [null]}',
        'data: {"choices": [{"delta": null}]}',
        'data: {"choices": [{"delta": {"content": 5, "tool_calls": "x"}}]}',
    )
    openai_stub.says("All of it.", noise=noise)
    events, error = play(openai_stub)

    assert (error, text_of(events)) == (None, "All of it.")


def test_line_separators_inside_a_text_cut_no_line(openai_stub: OpenAIStub) -> None:
    text = "one\u2028two\u0085three\x0bfour"
    chunk = json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False)
    openai_stub.answers(Reply(raw=f"data: {chunk}\r\n\r\ndata: [DONE]\r\n\r\n"))

    assert text_of(play(openai_stub)[0]) == text


def test_one_json_object_in_the_place_of_a_stream_is_a_reply(openai_stub: OpenAIStub) -> None:
    whole = {
        "choices": [
            {
                "message": {"content": [{"type": "text", "text": "Dump"}, {"type": "text", "text": "lings."}]},
                "finish_reason": "stop",
            }
        ]
    }
    openai_stub.answers(Reply(raw=json.dumps(whole)), Reply(raw=json.dumps(whole, indent=2)))

    assert text_of(play(openai_stub)[0]) == "Dumplings."
    assert text_of(play(openai_stub)[0]) == "Dumplings."


def test_halves_of_characters_are_joined_across_deltas_and_dropped_alone(openai_stub: OpenAIStub) -> None:
    openai_stub.says("", deltas=("a\0 \ud83e", "\udd5f b", "\ud800 c\udfff", "\ud83e"))
    events, error = play(openai_stub)

    assert (error, text_of(events)) == (None, "a 🥟 b c")


def test_a_missing_done_after_the_last_chunk_is_no_fault(openai_stub: OpenAIStub) -> None:
    openai_stub.says("Yes.", sends_done=False)

    assert play(openai_stub)[1] is None


@pytest.mark.parametrize("count", [-1, 10**12, 10**30, True, 1.5, "7"])
def test_token_counts_that_can_not_be_are_none(openai_stub: OpenAIStub, count: Any) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": 1}
    line = {"choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}], "usage": usage}
    openai_stub.answers(Reply(raw=f"data: {json.dumps(line)}\n\ndata: [DONE]\n\n"))
    events, _error = play(openai_stub)

    assert text_of(events) == "Hi"
    assert isinstance(events[-1], StepFinished)
    assert events[-1].usage is None


def test_a_line_of_brackets_upon_brackets_is_skipped(openai_stub: OpenAIStub) -> None:
    line = {"choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}]}
    deep = '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"
    openai_stub.answers(Reply(raw=f"data: {deep}\n\ndata: {json.dumps(line)}\n\ndata: [DONE]\n\n"))

    assert text_of(play(openai_stub)[0]) == "Hi"


def test_model_names_are_fit_to_be_kept(openai_stub: OpenAIStub) -> None:
    openai_stub.models = ["a\0b", "\ud83d", " c ", "c", "x" * 201]

    assert list_models(make_source(openai_stub)) == ["ab", "c"]
