"""Many that wait are decided in one click, past those that can't be, with one call of the embedder."""

from collections import Counter

import pytest
from django.test import Client
from pytest_django import Settings

from memories.approval.many import MOST_APPROVED, Decided
from memories.approval.wording import say_many
from memories.changes import edit
from memories.drafts import Origin
from memories.models import Agent, Memory, PendingWrite
from memories.profiles.editing import ProfileChange, change_file, make_key
from tests.embedding_stub import EmbeddingStub, answer_vectors
from tests.factories import make_memory
from tests.memories.approval.asking import LIST, ask, call, make_asking_agent, post, repeat
from xiajiao.models import User


@pytest.fixture
def agent(user: User) -> Agent:
    return make_asking_agent(owner=user, name="Helper")


def test_many_are_decided_at_once_and_what_can_not_be_is_left(signed_in: Client, agent: Agent) -> None:
    other = make_asking_agent(owner=agent.owner, name="Coach")
    ask(agent, "The user likes tea")
    ask(agent, "The user owns a boat", message_id=9)
    memory = make_memory(agent, "The user sings")
    call(agent, "memory_delete", id=memory.pk)
    edit(memory, {"pinned": True}, Origin("person", "manual", agent.owner_id))
    ask(other, "The user has a dog")

    page = signed_in.get(LIST, {"agent": other.pk}).text
    post(signed_in, "decide", decision="approve", scope="all", agent=agent.pk)
    left = PendingWrite.objects.waiting()

    assert "The user has a dog" in page
    assert "likes tea" not in page
    assert {row.kind for row in left.filter(agent=agent)} == {"delete"}
    post(signed_in, "decide", decision="reject", pending=[row.pk for row in left])
    assert not PendingWrite.objects.waiting().exists()
    assert Memory.objects.count() == 3


def test_all_are_decided_past_those_that_can_not_be_and_told_why(signed_in: Client, agent: Agent) -> None:
    key, person = make_key(agent, "user", agent.owner_id), ProfileChange("edited", "person", agent.owner_id)
    change_file(key, lambda _text: "## Work\nNurse\n", person)
    call(agent, "profile_replace", file="user", section="Work", old_text="Nurse", new_text="Doctor")
    change_file(key, lambda _text: "## Work\nTeacher\n", person)
    repeat(PendingWrite.objects.get(), MOST_APPROVED + 2)
    call(agent, "profile_add", file="memory", section="Boats", content="boat")
    repeat(PendingWrite.objects.latest("pk"), MOST_APPROVED + 3)

    told = post(signed_in, "decide", decision="approve", scope="all", agent=agent.pk)
    page = signed_in.get(told.url).text

    assert f"{MOST_APPROVED} were approved." in page
    assert f"{MOST_APPROVED + 2} could not be approved and wait on. The text that it would replace" in page
    assert "3 more wait: approve once more for the next." in page
    post(signed_in, "decide", decision="approve", scope="all")
    assert PendingWrite.objects.waiting().count() == MOST_APPROVED + 2
    told = post(signed_in, "decide", decision="reject", scope="all")
    assert f"{MOST_APPROVED + 2} were rejected." in signed_in.get(told.url).text
    assert not PendingWrite.objects.waiting().exists()


def test_what_could_not_be_rejected_is_told_in_words_of_its_own() -> None:
    said = [each for _level, each in say_many(Decided(1, Counter(decided=2), 3), is_approved=False)]
    assert said[0] == "1 was rejected."
    assert said[1].startswith("2 could not be rejected. This was decided already")
    assert said[2] == "3 more wait: reject once more for the next."


def test_what_waits_no_more_is_not_said_to_wait_on() -> None:
    said = [each for _level, each in say_many(Decided(0, Counter(outdated=1, decided=1)), is_approved=True)]
    assert [each.partition(".")[0] for each in said] == ["1 could not be approved"] * 2


def test_many_are_approved_with_one_call_of_the_embedder(signed_in: Client, agent: Agent, settings: Settings) -> None:
    memory = make_memory(agent, "The user sings")
    for number, text in enumerate(["The user likes tea", "The user owns a boat"]):
        ask(agent, text, message_id=50 + number)
    call(agent, "memory_update", 60, id=memory.pk, content="The user dances")
    with EmbeddingStub(answer_vectors) as stub:
        options = {"model": "stub-embedding", "base_url": stub.base_url, "api_key": "key"}
        backend = "xiajiao.embeddings.openai.OpenAIEmbedder"
        settings.EMBEDDERS = settings.EMBEDDERS | {"stub": {"BACKEND": backend, "OPTIONS": options}}
        settings.EMBEDDER = "stub"
        post(signed_in, "decide", decision="approve", scope="all")
        asked = [text for batch in stub.batches for text in batch if text.startswith("The user")]

    assert sorted(asked) == ["The user dances", "The user likes tea", "The user owns a boat"]
    assert len([batch for batch in stub.batches if batch[0].startswith("The user")]) == 1
    assert Memory.objects.filter(embedded_with__startswith="openai").count() == 3
