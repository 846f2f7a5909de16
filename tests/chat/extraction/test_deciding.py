"""The agent's model is asked about pairs that the gate is in doubt of: once, in one call, and it can't do harm."""

from __future__ import annotations

import json

import pytest
from pytest_django import Settings

from chat.extraction.ends import close
from chat.extraction.writing import pack
from chat.models import Conversation, ExtractionJob
from memories.extraction.candidates import Candidate
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from tests.chat.extraction.test_running import propose, run, talk, with_model
from tests.openai_stub import OpenAIStub, Reply

pytestmark = pytest.mark.django_db

SAID = "用户每天骑车上班", "用户爱吃水饺"
LONG = "我现在每天骑车上班，另外我爱吃水饺。" + "我们聊了很久的茶和天气。" * 6


def prepare(stub: OpenAIStub) -> Conversation:
    """Two facts are known; a conversation changes one and says the other again."""
    conversation = talk((LONG, "好的。"), **with_model(stub))
    for known in ("用户每天步行上班", "用户喜欢吃饺子"):
        know(conversation.agent, known)
    propose(stub, *SAID)
    return conversation


def know(agent: Agent, content: str) -> None:
    write(agent, agent.owner_id, Draft(content), Origin("person", "manual", agent.owner_id))
    at = "2026-01-01T00:00:00Z"
    Memory.objects.filter(content=content).update(created_at=at, updated_at=at)


def decide(stub: OpenAIStub, *answers: str, **how: object) -> None:
    listed = [{"pair": number, "answer": answer} for number, answer in enumerate(answers, 1)]
    stub.script.append(Reply(text=json.dumps({"answers": listed}), **how))  # type: ignore[arg-type]


def active() -> set[str]:
    return {memory.content for memory in Memory.objects.active()}


def test_one_call_decides_all_pairs_of_a_job(openai_stub: OpenAIStub) -> None:
    conversation = prepare(openai_stub)
    decide(openai_stub, "replaces", "same")
    job = run(close(conversation))
    assert job.state == "done"
    assert active() == set(SAID)
    assert Memory.objects.count() == 3
    prompt = openai_stub.requests[1]["messages"][0]["content"]
    assert "old (2026-01-01): 用户每天步行上班" in prompt
    assert openai_stub.requests[1]["response_format"]["json_schema"]["name"] == "answers"
    old = Memory.objects.get(content="用户每天步行上班")
    assert old.valid_to == conversation.messages.get(role="user").created_at
    reason = old.revisions.get(action="superseded").reason
    assert (reason["model"], reason["answer"]) == ("stub-model", "replaces")


BAD = [
    Reply(text=""),
    Reply(text="I'm sorry, I can't help with that."),
    Reply(text='{"answers": [{"pair": 1, "answer": "drop'),
    Reply(status=500, error={"message": "down"}),
    Reply(text='{"memories": []}'),
]


@pytest.mark.parametrize("reply", BAD)
def test_where_the_model_says_nothing_of_use_the_gate_decides_alone(openai_stub: OpenAIStub, reply: Reply) -> None:
    conversation = prepare(openai_stub)
    openai_stub.always(reply)
    job = run(close(conversation))
    assert (job.state, len(active())) == ("done", 4)
    assert job.verdicts is not None
    assert job.verdicts["problem"]


def test_a_slow_model_is_not_waited_for(openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.MODEL_TIMEOUT = 0.3
    conversation = prepare(openai_stub)
    decide(openai_stub, "replaces", "same", wait=1.5)
    assert (run(close(conversation)).state, len(active())) == ("done", 4)


def leave_asked(conversation: Conversation, *answers: str) -> ExtractionJob | None:
    """As a worker leaves it that dies when the model has answered."""
    known = list(Memory.objects.order_by("pk"))
    pairs = [
        {"number": number, "memory": memory.pk, "version": memory.version, "answer": answer}
        for number, (memory, answer) in enumerate(zip(known, answers, strict=True))
    ]
    job = close(conversation)
    proposed = pack([Candidate(content) for content in SAID])
    verdicts = {"model": "stub-model", "problem": "", "pairs": pairs}
    ExtractionJob.objects.update(candidates=proposed, verdicts=verdicts, model_name="stub-model")
    return job


def test_a_job_that_is_taken_up_again_asks_nobody_twice(openai_stub: OpenAIStub) -> None:
    conversation = prepare(openai_stub)
    assert run(leave_asked(conversation, "replaces", "same")).state == "done"
    assert active() == set(SAID)
    assert openai_stub.requests == []


def test_a_memory_that_changed_after_the_question_is_left_alone(openai_stub: OpenAIStub) -> None:
    conversation = prepare(openai_stub)
    job = leave_asked(conversation, "replaces", "both")
    Memory.objects.filter(content="用户每天步行上班").update(version=9)
    run(job)
    assert len(active()) == 4


def test_where_nothing_is_doubtful_nobody_is_asked(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "好的。"), **with_model(openai_stub))
    know(conversation.agent, "团队每周三发版")
    propose(openai_stub, *SAID)
    assert run(close(conversation)).verdicts == {}
    assert len(openai_stub.requests) == 1
