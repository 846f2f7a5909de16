"""How a step ends that can't be finished: with a code, the provider's own words, and what was received kept."""

from typing import Any

import pytest
from django.utils import translation

from tests.factories import make_source
from tests.openai_stub import Call, OpenAIStub, Reply
from tests.xiajiao.test_llm import ASKED, play, text_of
from xiajiao.llm import list_models, stream_reply
from xiajiao.llm.base import ModelError
from xiajiao.llm.errors import SENTENCES, explain


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


@pytest.mark.parametrize(
    "reply",
    [
        Reply(raw="You sent sk-\0stub-key-of-tests, didn't you?"),
        Reply(raw='data: {"error": {"message": "Bad key sk-stub-key-of-\\u0000tests", "code": 400}}\n\n'),
    ],
)
def test_no_sentence_of_a_provider_shows_the_key_or_holds_a_nul(openai_stub: OpenAIStub, reply: Reply) -> None:
    openai_stub.answers(reply)
    _events, error = play(openai_stub, api_key="stub-key")

    assert error is not None
    assert error.detail
    assert "stub-key" not in error.detail
    assert "\0" not in error.detail


@pytest.mark.parametrize("key", ["sk-密钥", "sk-\u200b1234", "sk-1234\nx"])
def test_a_key_that_no_server_could_be_sent_is_not_accepted(openai_stub: OpenAIStub, key: str) -> None:
    _events, error = play(openai_stub, api_key=key)

    assert error is not None
    assert (error.code, openai_stub.requests) == ("unauthorized", [])


@pytest.mark.parametrize("host", ["exa\tmple", "\u2028x", "ｅxa", "a..b", "a" * 300, "[::1]x"])
def test_an_address_that_is_none_is_explained(openai_stub: OpenAIStub, host: str) -> None:
    source = make_source(openai_stub, base_url=f"http://{host}/v1")

    with pytest.raises(ModelError, match="not_found"):
        list(stream_reply(source, ASKED))
    with pytest.raises(ModelError, match="not_found"):
        list_models(source)
