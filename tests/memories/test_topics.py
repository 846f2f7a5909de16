"""Everything about X: what holds the words anywhere, what is near in meaning, and what these replaced."""

from __future__ import annotations

import pytest

from memories.changes import delete, edit
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from memories.topics import Subject, find_subject
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

BY_HAND = Origin("person", "manual")


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def found(subject: Subject, why: str) -> set[str]:
    return {each.memory.content for each in subject.related if each.why == why}


def test_words_are_found_wherever_they_stand(user: User, agent: Agent) -> None:
    for draft in (
        Draft("The user paints on Sundays", title="Milo"),
        Draft("用户对花生过敏", description="About Milo"),
        Draft("The project uses PostgreSQL", tags=["milo"]),
        Draft("用户的女儿今年上小学", metadata={"cat": {"name": "Milo"}}),
    ):
        write(agent, user.pk, draft, BY_HAND)
    make_memory(agent, "The user has a cat named Milo", user=user)
    make_memory(agent, "The user lives in Hangzhou", user=user)

    assert len(found(find_subject(user, "milo"), "exact")) == 5


def test_so_are_chinese_words(user: User, agent: Agent) -> None:
    write(agent, user.pk, Draft("用户养了一只动物", metadata={"名字": "糯米"}, tags=["糯米"]), BY_HAND)
    make_memory(agent, "用户的猫叫糯米", user=user)

    assert found(find_subject(user, "糯米"), "exact") == {"用户养了一只动物", "用户的猫叫糯米"}


def test_all_words_of_the_topic_have_to_stand_in_it(user: User, agent: Agent) -> None:
    make_memory(agent, "The user's cat Milo is grey", user=user)
    make_memory(agent, "The user's cat Luna is black", user=user)

    assert found(find_subject(user, "cat Milo"), "exact") == {"The user's cat Milo is grey"}


def test_a_former_wording_counts_and_a_successors_does_not(user: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user has a cat named Milo", user=user)
    edit(memory, {"content": "The user has an animal"}, BY_HAND)
    old = write(agent, user.pk, Draft("用户住在北京。"), BY_HAND).memory
    write(agent, user.pk, Draft("用户现在住在上海。"), BY_HAND)
    old.refresh_from_db()
    assert old.is_superseded

    assert found(find_subject(user, "Milo"), "exact") == {"The user has an animal"}
    assert found(find_subject(user, "上海"), "exact") == {"用户现在住在上海。"}
    assert found(find_subject(user, "上海"), "former") == {"用户住在北京。"}


def test_what_is_deleted_or_switched_off_is_found_too(user: User, agent: Agent) -> None:
    delete(make_memory(agent, "Milo is deleted", user=user), BY_HAND)
    make_memory(agent, "Milo is switched off", user=user, enabled=False)

    assert found(find_subject(user, "Milo"), "exact") == {"Milo is deleted", "Milo is switched off"}


def test_what_is_near_in_meaning_is_found_apart(user: User, agent: Agent) -> None:
    write(agent, user.pk, Draft("The user is a vegetarian and eats no meat"), BY_HAND)
    subject = find_subject(user, "what I eat")

    assert found(subject, "exact") == set()
    assert found(subject, "near") == {"The user is a vegetarian and eats no meat"}


def test_nobody_elses_is_found(user: User, agent: Agent) -> None:
    other = make_user()
    make_memory(agent, "Milo of another person", user=other)
    make_memory(make_agent(owner=other, is_shared=True), "Milo of another's agent", user=None)
    make_memory(agent, "Milo for all users", user=None)
    staff = make_user(is_staff=True)

    assert found(find_subject(user, "Milo"), "exact") == {"Milo for all users"}
    assert find_subject(staff, "Milo").related == []


def test_one_agent_alone_may_be_asked(user: User, agent: Agent) -> None:
    make_memory(agent, "Milo here", user=user)
    make_memory(make_agent(owner=user), "Milo there", user=user)

    assert found(find_subject(user, "Milo", agent.pk), "exact") == {"Milo here"}


def test_of_very_many_some_are_shown_and_all_are_numbered(
    user: User, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.topics.MOST", 3)
    for number in range(5):
        make_memory(agent, f"Milo {number}", user=user)
    subject = find_subject(user, "Milo")

    assert (len(found(subject, "exact")), len(subject.exact_ids), subject.more) == (3, 5, 2)


@pytest.mark.parametrize("topic", ["", "  ", "%", "_", "\\", '"', "'; --"])
def test_no_topic_finds_everything(user: User, agent: Agent, topic: str) -> None:
    make_memory(agent, "The user likes dumplings", user=user)

    assert found(find_subject(user, topic), "exact") == set()
    assert Memory.objects.exists()
