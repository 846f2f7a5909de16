"""What was said becomes memories when a conversation ends: each fact once, and nothing that nobody said."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TypedDict

import pytest
from django.utils import timezone

from chat import tasks
from chat.extraction.ends import close, note_growth
from chat.extraction.running import MOST_FAILURES, extract, retry
from chat.models import Conversation, ExtractionJob, Message
from memories.models import Agent, Memory, MemoryRevision, ProfileFile
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent, make_provider
from tests.openai_stub import OpenAIStub, Reply

pytestmark = pytest.mark.django_db

LONG = "I live in Lisbon with my brother Rui, who is a nurse. " + "We talked about tea for a long time. " * 8


def talk(*pairs: tuple[str, str], **columns: object) -> Conversation:
    """A conversation of these messages with their answers."""
    conversation = None
    for asked, answered in pairs:
        answer = make_answer(asked, **({"conversation": conversation} if conversation else columns))
        finish(answer, answered)
        conversation = answer.conversation
    assert conversation is not None
    conversation.refresh_from_db()
    return conversation


def run(job: ExtractionJob | None) -> ExtractionJob:
    assert job is not None
    extract(job)
    job.refresh_from_db()
    return job


def propose(stub: OpenAIStub, *contents: str, **fields: str) -> None:
    items = [{"content": content, **fields} for content in contents]
    stub.script.append(Reply(text=json.dumps({"memories": items}, ensure_ascii=False)))


class WithModel(TypedDict):
    agent: Agent


def with_model(stub: OpenAIStub, language: str = "en", **columns: object) -> WithModel:
    """Of a conversation whose agent has a model that is played by the stub."""
    provider = make_provider(base_url=stub.base_url, model_names=["stub-model"], is_default=True)
    return {"agent": make_agent(provider=provider, language=language, **columns)}


def contents() -> list[str]:
    return list(Memory.objects.order_by("pk").values_list("content", flat=True))


def test_without_a_model_rules_find_what_a_person_states() -> None:
    conversation = talk(
        ("我叫小梅，我喜欢喝绿茶", "好的。"), ("What is 2 + 2?", "4"), ("I prefer short answers.", "OK.")
    )
    job = run(close(conversation))
    assert (job.state, job.model_name) == ("done", "rules")
    assert len(contents()) == 3
    memory = Memory.objects.get(content__contains="绿茶")
    assert (memory.source, memory.conversation_id) == ("extraction", conversation.pk)
    asked = conversation.messages.get(content__contains="绿茶")
    assert memory.message_ids == [asked.pk]
    assert memory.quote in asked.content
    conversation.refresh_from_db()
    assert conversation.extracted_to == conversation.leaf_id
    day = ProfileFile.objects.get()
    assert (day.kind, day.text[8:]) == ("daily", "我叫小梅，我喜欢喝绿茶\n")


def test_a_model_is_asked_once_and_its_facts_go_through_the_gate(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Lisbon is fine."), **with_model(openai_stub))
    propose(openai_stub, "The user lives in Lisbon", "The user's brother Rui is a nurse")
    job = run(close(conversation))
    assert job.state == "done"
    assert contents() == ["The user lives in Lisbon", "The user's brother Rui is a nurse"]
    revision = MemoryRevision.objects.first()
    assert revision is not None
    assert (revision.actor, revision.action) == ("extraction", "added")
    prompt = openai_stub.requests[0]["messages"][0]["content"]
    assert f"user ({timezone.localdate():%Y-%m-%d, %a}): I live in Lisbon" in prompt
    assert openai_stub.requests[0]["response_format"]["type"] == "json_schema"
    extract(job)
    assert len(openai_stub.requests) == 1


def test_what_the_agent_alone_said_is_not_remembered(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "You have a sister in Porto called Ana."), **with_model(openai_stub))
    propose(openai_stub, "The user has a sister called Ana in Porto", "The user lives in Lisbon")
    run(close(conversation))
    assert contents() == ["The user lives in Lisbon"]


def test_what_the_user_agrees_to_is_remembered(openai_stub: OpenAIStub) -> None:
    conversation = talk(
        (LONG, "Shall we deploy the project on Fridays, then?"), ("Yes, do that.", "Fine."), **with_model(openai_stub)
    )
    propose(openai_stub, "The user's project is deployed on Fridays", quote="deploy the project on Fridays")
    run(close(conversation))
    assert contents() == ["The user's project is deployed on Fridays"]


def test_a_short_dialogue_costs_no_model(openai_stub: OpenAIStub) -> None:
    conversation = talk(("Hi", "Hello."), **with_model(openai_stub))
    job = run(close(conversation))
    assert (job.state, job.reason, openai_stub.requests) == ("skipped", "short", [])


def test_a_conversation_that_goes_on_is_read_from_where_it_was_left(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    propose(openai_stub, "The user lives in Lisbon")
    run(close(conversation))
    finish(make_answer("I have moved to Porto now. " + "It rains. " * 30, conversation=conversation), "Oh.")
    propose(openai_stub, "The user lives in Porto")
    conversation.refresh_from_db()
    run(close(conversation))
    second = openai_stub.requests[1]["messages"][0]["content"]
    assert "Lisbon" not in second
    assert "Porto" in second
    assert [memory.content for memory in Memory.objects.active()] == ["The user lives in Porto"]


def test_closing_twice_asks_once() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    first, second = close(conversation), close(conversation)
    assert first == second
    run(first)
    conversation.refresh_from_db()
    assert close(conversation) is None
    assert ExtractionJob.objects.count() == 1


def test_a_reply_that_cannot_be_read_is_asked_for_again_and_then_kept_for_a_person(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    openai_stub.script.extend([Reply(text="I'd rather not."), Reply(text="No, really not.")])
    job = run(close(conversation))
    assert (job.state, job.reason, job.raw_reply, job.tries) == ("failed", "no_list", "No, really not.", 1)
    assert "No JSON object was found" in openai_stub.requests[1]["messages"][-1]["content"]
    conversation.refresh_from_db()
    assert conversation.extracted_to == 0

    propose(openai_stub, "The user lives in Lisbon")
    retry(job)
    assert run(job).state == "done"
    assert contents() == ["The user lives in Lisbon"]


def test_a_model_that_is_away_is_waited_for(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    openai_stub.always(Reply(status=503, error={"message": "overloaded"}))
    job = run(close(conversation))
    assert (job.state, job.failures, job.reason) == ("waiting", 1, "server_error")
    assert job.due_at is not None
    assert job.due_at > timezone.now()
    ExtractionJob.objects.update(due_at=None, failures=MOST_FAILURES - 1)
    job = run(job)
    assert job.state == "failed"


def test_what_was_noted_in_the_turn_is_not_noted_again() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    asked = conversation.messages.get(role="user")
    run(close(conversation))
    memory = Memory.objects.get()
    ExtractionJob.objects.all().delete()
    Conversation.objects.update(extracted_to=0)
    conversation.refresh_from_db()
    run(close(conversation))
    memory.refresh_from_db()
    assert (memory.proof_count, memory.message_ids, memory.revisions.count()) == (1, [asked.pk], 1)


@pytest.mark.parametrize("mode", ["read_only", "temporary"])
def test_a_conversation_that_remembers_nothing_is_not_read(mode: str) -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    Conversation.objects.update(mode=mode)
    conversation.refresh_from_db()
    assert close(conversation) is None


def test_an_agent_that_does_not_learn_is_not_asked() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"), agent=make_agent(extracts=False))
    assert close(conversation) is None


def test_a_silent_conversation_ends_by_itself() -> None:
    talk(("我喜欢喝绿茶", "好的。"))
    tasks.sweep_extractions()
    assert contents() == []
    Conversation.objects.update(updated_at=timezone.now() - timedelta(minutes=11))
    tasks.sweep_extractions()
    tasks.sweep_extractions()
    assert len(contents()) == 1
    assert ExtractionJob.objects.get().cause == "idle"


def test_a_long_conversation_is_read_before_it_ends() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"), agent=make_agent(extract_every=4))
    assert note_growth(conversation) is None
    finish(make_answer("我住在里斯本", conversation=conversation), "好的。")
    job = note_growth(conversation)
    assert job is not None
    assert (run(job).cause, len(contents())) == ("grown", 2)


def test_a_deleted_message_is_not_read() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    job = close(conversation)
    Message.objects.update(deleted_at=timezone.now())
    run(job)
    assert contents() == []
