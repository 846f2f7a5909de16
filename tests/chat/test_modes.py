"""What a conversation knows and keeps, by its mode; and the profile files that it was told when it began."""

from __future__ import annotations

import pytest

from chat.models import Conversation, ExtractionJob, Message, Recalled
from chat.profiles import refresh_profile
from chat.turns import run_turn
from memories import gate
from memories.models import Agent, Memory, MemoryRevision, ProfileFile
from tests.chat.turning import make_answer
from tests.factories import make_agent, make_conversation
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    agent = make_agent(owner=user, language="en")
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL)
    gate.write(agent, user.pk, gate.Draft("The user likes green tea"), origin)
    ProfileFile.objects.create(agent=agent, kind="soul", text="## Identity\nI am Ada.")
    ProfileFile.objects.create(agent=agent, user=user, kind="user", text="## Name\nMei")
    return agent


def ask(agent: Agent, stub: OpenAIStub, mode: str, text: str = "Which tea do I like?") -> Message:
    stub.script.append(Reply(text="Green."))
    answer = make_answer(text, conversation=make_conversation(agent=agent, mode=mode))
    list(run_turn(answer))
    return answer


def prompt_of(stub: OpenAIStub) -> str:
    return str(stub.requests[-1]["messages"][0]["content"])


def tools_of(stub: OpenAIStub) -> set[str]:
    return {tool["function"]["name"] for tool in stub.requests[-1].get("tools", [])}


def test_a_usual_conversation_knows_and_keeps(agent: Agent, openai_stub: OpenAIStub) -> None:
    ask(agent, openai_stub, "normal")
    prompt = prompt_of(openai_stub)
    assert prompt.startswith(
        "<agent-identity>\n## Identity\nI am Ada.\n</agent-identity>\n\n<user-profile>\n## Name\nMei"
    )
    assert (
        prompt.index("</user-profile>") < prompt.index("# Long-term memory") < prompt.index("The user likes green tea")
    )
    assert {"memory_write", "memory_search", "profile_add", "kb_index"} <= tools_of(openai_stub)


def test_one_that_only_reads_knows_and_keeps_nothing_new(agent: Agent, openai_stub: OpenAIStub) -> None:
    ask(agent, openai_stub, "read_only")
    assert "The user likes green tea" in prompt_of(openai_stub)
    assert "# Long-term memory" not in prompt_of(openai_stub)
    assert {"memory_search", "profile_read", "kb_search"} <= tools_of(openai_stub)
    assert not {"memory_write", "memory_update", "memory_delete", "profile_add", "kb_index"} & tools_of(openai_stub)


def test_a_temporary_one_knows_who_the_agent_is_and_nothing_else(agent: Agent, openai_stub: OpenAIStub) -> None:
    before = list(Memory.objects.values())
    ask(agent, openai_stub, "temporary", "I like black tea now. Which tea do I like?")
    prompt = prompt_of(openai_stub)
    assert "I am Ada." in prompt
    assert not [word for word in ("Mei", "green tea", "[MEMORY]", "Long-term") if word in prompt]
    assert not [
        name for name in tools_of(openai_stub) if name.startswith(("memory_", "profile_")) or name == "kb_index"
    ]
    assert list(Memory.objects.values()) == before
    assert not Recalled.objects.exists()
    assert not ExtractionJob.objects.exists()


def test_a_tool_that_is_not_offered_is_refused(agent: Agent, openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_write", content="The user likes black tea")
    openai_stub.says("Noted.")
    answer = make_answer("I like black tea", conversation=make_conversation(agent=agent, mode="temporary"))
    list(run_turn(answer))
    assert answer.tool_calls.get().status == "error"
    assert Memory.objects.count() == 1


def test_what_a_conversation_is_told_of_the_files_stays_until_it_is_refreshed(
    agent: Agent, openai_stub: OpenAIStub
) -> None:
    answer = ask(agent, openai_stub, "normal")
    ProfileFile.objects.filter(kind="user").update(text="## Name\nLan")
    openai_stub.script.append(Reply(text="Mei."))
    list(run_turn(make_answer("Who am I?", conversation=answer.conversation)))
    assert "Mei" in prompt_of(openai_stub)
    conversation = Conversation.objects.get(pk=answer.conversation_id)
    refresh_profile(conversation)
    openai_stub.script.append(Reply(text="Lan."))
    list(run_turn(make_answer("And now?", conversation=conversation)))
    assert "Lan" in prompt_of(openai_stub)
    assert "Mei" not in prompt_of(openai_stub)
