"""Servers that know no schema, or no JSON at all: what a model proposes is read all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat.extraction.ends import close
from chat.models import Conversation
from tests.chat.extraction.test_running import LONG, contents, run, talk, with_model
from tests.openai_stub import OpenAIStub, Reply, refusal

pytestmark = pytest.mark.django_db

FACT = "The user lives in Lisbon"
FOUND = json.dumps({"memories": [{"content": FACT}], "summary": "Lisbon"})


def formats(stub: OpenAIStub) -> list[str]:
    """What each request asked for; empty: nothing."""
    return [body.get("response_format", {}).get("type", "") for body in stub.requests]


def like_deepseek(body: dict[str, Any]) -> Reply:
    """JSON of any form alone, and only where the prompt speaks of it."""
    wanted = body.get("response_format", {}).get("type")
    if wanted == "json_schema":
        return refusal("This response_format type is unavailable now")
    if wanted == "json_object" and "json" not in json.dumps(body["messages"]).lower():
        return refusal(
            "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."
        )
    return Reply(text=FOUND)


def plain(body: dict[str, Any]) -> Reply:
    """A server of its own words."""
    if "response_format" in body:
        return Reply(status=422, error={"message": "Extra inputs are not permitted"})
    return Reply(text=f"Here is what I found:\n- {FACT}\n")


def twice(stub: OpenAIStub, **columns: Any) -> None:
    """Two conversations with the same server."""
    made = with_model(stub, **columns)
    for _conversation in range(2):
        assert run(close(talk((LONG, "Fine."), **made))).state == "done"
        assert contents() == [FACT]


def test_a_server_without_schemas_is_asked_for_json_and_that_is_remembered(openai_stub: OpenAIStub) -> None:
    openai_stub.always(like_deepseek)
    twice(openai_stub)
    assert formats(openai_stub) == ["json_schema", "json_object", "json_object"]


def test_the_chinese_prompts_speak_of_json_as_well(openai_stub: OpenAIStub) -> None:
    openai_stub.always(like_deepseek)
    columns = with_model(openai_stub, language="zh-hans")
    assert run(close(talk((LONG, "好的。"), **columns))).state == "done"
    assert formats(openai_stub) == ["json_schema", "json_object"]


def test_a_server_without_json_answers_in_lines(openai_stub: OpenAIStub) -> None:
    openai_stub.always(plain)
    twice(openai_stub)
    assert formats(openai_stub)[-2:] == ["", ""]
    assert len(openai_stub.requests) == 5


def test_a_server_that_ignores_the_schema_is_read_tolerantly(openai_stub: OpenAIStub) -> None:
    fenced = json.dumps([{"fact": FACT}])
    openai_stub.says(f"Sure!\n```json\n{fenced}\n```\nAnything else?")
    assert run(close(talk((LONG, "Fine."), **with_model(openai_stub)))).state == "done"
    assert contents() == [FACT]


def test_a_complaint_is_made_in_the_language_of_the_agent(openai_stub: OpenAIStub) -> None:
    openai_stub.script.extend([Reply(text="我不太明白。"), Reply(text=FOUND)])
    columns = with_model(openai_stub, language="zh-hans")
    assert run(close(talk((LONG, "好的。"), **columns))).state == "done"
    assert "没有找到 JSON" in openai_stub.requests[1]["messages"][-1]["content"]
    assert Conversation.objects.get().extracted_to > 0
