"""What compatible servers really do: each ends as an answer or as a sentence, with what was received kept."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from tests.openai_stub import Call, OpenAIStub, Reply, calls
from tests.xiajiao.test_llm import ASKED, TOOL, play, text_of
from xiajiao.llm.base import ChatRequest, RequestedCall, StepFinished
from xiajiao.llm.errors import SENTENCES, explain

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


@pytest.mark.parametrize("how", [{"cut_after": 4}, {"ends_after": 4}])
def test_a_stream_that_breaks_keeps_what_came_and_is_not_asked_again(
    openai_stub: OpenAIStub, how: dict[str, Any]
) -> None:
    openai_stub.says("one two three four five", **how)
    events, error = play(openai_stub)

    assert text_of(events) == "one two three "
    assert error is not None
    assert error.code == "cut_off"
    assert len(openai_stub.requests) == 1


def test_a_stream_that_breaks_before_its_first_word_is_asked_again(openai_stub: OpenAIStub) -> None:
    openai_stub.says("one two three", cut_after=0)
    openai_stub.says("one two three")

    assert text_of(play(openai_stub)[0]) == "one two three"


def test_an_error_inside_the_stream_keeps_what_came_and_the_provider_s_words(openai_stub: OpenAIStub) -> None:
    openai_stub.says("one two three", error_after=2, error={"code": 502, "message": "Upstream fell over"})
    events, error = play(openai_stub)

    assert text_of(events) == "one "
    assert error is not None
    assert (error.code, error.detail) == ("server_error", "Upstream fell over")


@pytest.mark.parametrize("reply", [Reply(), Reply(reasoning="I think and think"), Reply(text="", deltas=("", ""))])
def test_an_empty_reply_is_a_sentence_and_not_a_blank(openai_stub: OpenAIStub, reply: Reply) -> None:
    openai_stub.answers(reply)
    error = play(openai_stub)[1]

    assert error is not None
    assert error.code == "empty"


def test_a_reply_of_two_megabytes_is_cut_and_kept(openai_stub: OpenAIStub) -> None:
    openai_stub.says("", deltas=("虾饺" * 10_000,) * 100)
    events, error = play(openai_stub)

    assert error is not None
    assert error.code == "too_long_reply"
    assert len(text_of(events)) == 1_000_000


def test_a_thousand_tool_calls_in_one_step_are_cut(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(text="Working. ", calls=tuple(Call("memory_search", "{}") for _ in range(1000))))
    events, error = play(openai_stub)

    assert error is not None
    assert (error.code, text_of(events)) == ("too_long_reply", "Working. ")


def test_a_page_in_the_place_of_a_reply_is_told(openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(raw="<html><title>Welcome to nginx</title>\n<p>It works</p></html>"))
    error = play(openai_stub)[1]

    assert error is not None
    assert error.code == "bad_reply"
    assert "Welcome to nginx" in error.detail


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (401, {"message": "Incorrect API key provided: sk-stub-key-of-tests."}, "unauthorized"),
        (402, {"message": "Insufficient Balance"}, "no_credit"),
        (403, {"message": "Country not supported"}, "forbidden"),
        (404, {"message": "model 'x' not found, try pulling it first"}, "not_found"),
        (413, {"message": "Payload too large"}, "too_long"),
        (400, {"message": "This model's maximum context length is 8192 tokens."}, "too_long"),
        (400, {"message": "the request exceeds the available context size"}, "too_long"),
        (400, {"message": "Blocked", "code": "content_filter"}, "refused"),
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "no_credit"),
        (418, {"message": "I'm a teapot"}, "bad_request"),
        (404, "<html><head><style>p{color:red}</style></head><body><h1>404 Not Found</h1></body></html>", "not_found"),
    ],
)
def test_a_refusal_has_a_code_and_the_provider_s_words_without_the_key(
    openai_stub: OpenAIStub, status: int, error: dict[str, Any] | str, code: str
) -> None:
    openai_stub.always(Reply(status=status, error=error))
    raised = play(openai_stub)[1]

    assert raised is not None
    assert raised.code == code
    assert "sk-stub" not in str(raised)
    assert raised.detail
    assert "<" not in raised.detail
    assert "color" not in raised.detail


@pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (500, "server_error"), (503, "server_error")])
def test_a_passing_fault_is_tried_again_within_a_bound(openai_stub: OpenAIStub, status: int, code: str) -> None:
    openai_stub.fails(status, "Wait", headers={"retry-after-ms": "20"})
    openai_stub.fails(status, "Wait", headers={"Retry-After": "0"})
    openai_stub.says("Here.")
    assert text_of(play(openai_stub)[0]) == "Here."

    openai_stub.always(Reply(status=status, error={"message": "Wait"}, headers={"Retry-After": "0"}))
    raised = play(openai_stub)[1]
    assert raised is not None
    assert (raised.code, raised.detail) == (code, "Wait")
    assert len(openai_stub.requests) == 6


def test_a_long_retry_after_is_told_instead_of_waited_for(openai_stub: OpenAIStub) -> None:
    openai_stub.fails(429, "Slow down", headers={"Retry-After": "30"})
    raised = play(openai_stub)[1]

    assert raised is not None
    assert (raised.code, raised.retry_after) == ("rate_limited", 30.0)
    assert len(openai_stub.requests) == 1


def test_a_server_that_is_not_there_is_unreachable(openai_stub: OpenAIStub) -> None:
    raised = play(openai_stub, base_url="http://127.0.0.1:9/v1")[1]

    assert raised is not None
    assert raised.code == "unreachable"


def test_a_silent_server_times_out_with_what_it_said_before(openai_stub: OpenAIStub, settings: Any) -> None:
    settings.MODEL_TIMEOUT = 0.4
    openai_stub.says("one two", rate=1, deltas=("one ", "two"), reasoning="")
    _events, raised = play(openai_stub)

    assert raised is not None
    assert raised.code == "timed_out"
    assert len(openai_stub.requests) == 1


def test_every_code_has_a_sentence_in_both_languages() -> None:
    for code in SENTENCES:
        with translation.override("en"):
            english = explain(code)
        assert english.endswith(".")
        assert english != explain("something unknown")
