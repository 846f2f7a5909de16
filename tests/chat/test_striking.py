"""A secret that is struck out of a memory goes from what answers recalled, noted, called and were sent of it too."""

import json

import pytest
from django.test import Client

from chat.evaluation.residues import search_tables
from chat.models import Message, Recalled, Remembered, ToolCall
from chat.sending import send_message
from chat.turns import run_turn
from memories.models import Agent, Finding
from memories.scrubbing import strike_out
from tests.chat.remembering import Talk, begin_talk, find
from tests.chat.turning import load
from tests.factories import make_agent
from tests.memories.health.keeping import BY_HAND
from tests.openai_stub import OpenAIStub, Reply, calls
from xiajiao.models import User

pytestmark = pytest.mark.django_db

KEY = "sk-proj-9fK2mQ7xL4vB8nR3tW6yZ1aC5dE0gH"
TEXT = f"The deploy script signs in with {KEY} on the server"
CLEAN = "The deploy script signs in with [API key removed] on the server"


@pytest.fixture
def agent(user: User) -> Agent:
    """Its setting left secrets in."""
    return make_agent(owner=user, language="en", redacted_kinds=[])


@pytest.fixture
def talk(openai_stub: OpenAIStub, agent: Agent) -> Talk:
    """The key is noted, known in a later answer, and found by a tool."""
    talk = begin_talk(openai_stub, agent)
    talk.say("Note how we deploy.", TEXT, title="Deploying")
    talk.stub.answers(calls(("memory_search", {"query": "deploy script"})), Reply(text="By script."))
    answer = send_message(talk.conversation, "How do we deploy?").answer
    list(run_turn(load(answer)))
    return talk


def traces(text: str = KEY) -> set[str]:
    """Columns that hold it, without the pages of SQLite's index, which a sweep tidies."""
    found, _count = search_tables([text.lower().encode(), text.encode()])
    return {name for name in found if not name.startswith("xiajiao_")}


def test_it_goes_from_all_that_answers_keep_and_the_rest_stays(talk: Talk) -> None:
    kept = {"chat_recalled.content", "chat_remembered.content", "chat_message.system_prompt", "chat_toolcall.arguments"}
    assert kept | {"chat_toolcall.result"} <= traces()
    strike_out(find(TEXT), BY_HAND)

    assert traces() == set()
    assert set(Recalled.objects.values_list("content", flat=True)) == {CLEAN}
    assert Remembered.objects.get().content == CLEAN
    noted, searched = ToolCall.objects.order_by("pk")
    assert json.loads(noted.arguments) == {"content": CLEAN, "title": "Deploying"}
    assert CLEAN in searched.result
    assert CLEAN in Message.objects.exclude(system_prompt="").latest("pk").system_prompt


def test_a_wording_that_only_the_history_knows_goes_too(talk: Talk, client: Client, agent: Agent) -> None:
    client.force_login(agent.owner)
    memory = find(TEXT)
    form = {"content": "The deploy script signs in", "version": memory.version, "secrets_seen": ""}
    client.post(f"/memories/{memory.pk}/edit/", form)
    memory.refresh_from_db()
    strike_out(memory, BY_HAND)

    assert traces() == set()


def test_messages_and_what_others_say_are_left_as_they_are(talk: Talk) -> None:
    other = f"The backup script signs in with {KEY[:-4]}wXyZ on the server"
    talk.say(f"We deploy with {KEY}.", other)
    strike_out(find(TEXT), BY_HAND)

    assert traces() == {"chat_message.content"}
    assert Remembered.objects.filter(content=other).exists()
    assert "wXyZ" in ToolCall.objects.latest("pk").arguments


def test_the_page_says_how_far_it_goes(signed_in: Client, talk: Talk) -> None:
    memory = find(TEXT)
    finding = Finding.objects.create(
        kind="secret",
        memory=memory,
        agent=memory.agent,
        user=memory.user,
        details={"kinds": ["api_key"], "in_history": []},
    )
    text = signed_in.get("/memories/health/?kind=secret").content.decode()
    assert "from what answers recalled and noted" in text

    signed_in.post("/memories/health/settle/", {"finding": finding.pk, "kind": "secret", "decision": "redact"})
    assert traces() == set()


def test_arguments_with_lines_and_quotes_stay_readable_json(openai_stub: OpenAIStub, agent: Agent) -> None:
    text = f'To deploy:\n1. run "deploy.sh"\n2. sign in with {KEY}'
    talk = begin_talk(openai_stub, agent)
    talk.say("Note how we deploy.", text)
    memory = Remembered.objects.get().memory
    strike_out(memory, BY_HAND)

    assert traces() == set()
    assert "deploy.sh" in json.loads(ToolCall.objects.get().arguments)["content"]
