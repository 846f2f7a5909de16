from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from memories.models import Agent, Memory, MemoryTag
from memories.tallying import find_drifted
from tests.factories import make_agent, make_memory
from tests.memories.transfer.files import check, export
from xiajiao import fulltext
from xiajiao.models import IndexedText, User
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db


def make_demo(**options: Any) -> None:
    call_command("make_demo", "--until=2026-05-31", **({"memories": 400, "agents": 4, "verbosity": 0} | options))


def read_rows() -> list[tuple[Any, ...]]:
    columns = ("uid", "content", "title", "category", "type__key", "tags", "source", "created_at", "updated_at")
    return list(Memory.objects.order_by("uid").values_list(*columns, "agent__name", "user__username", "enabled"))


def test_a_demonstration_has_what_was_wished_for() -> None:
    make_demo()

    assert Memory.objects.count() == 400
    assert Agent.objects.count() == 4
    assert User.objects.count() == 3
    assert set(Memory.objects.values_list("category", flat=True)) == {"semantic", "episodic", "procedural"}
    assert len(set(Memory.objects.values_list("source", flat=True))) == 5
    assert {"user", "project", "feedback", "reference"} <= set(Memory.objects.values_list("type__key", flat=True))
    assert Memory.objects.filter(content__contains="用户").exists()
    assert Memory.objects.filter(content__contains="The user").exists()
    assert Memory.objects.superseded().exists()
    assert not Memory.objects.filter(content__contains="{").exists()


def test_what_stands_beside_the_rows_is_there_too() -> None:
    make_demo()

    assert find_drifted() == []
    assert MemoryTag.objects.count() == sum(len(memory.tags) for memory in Memory.objects.all())
    findable = [memory for memory in Memory.objects.all() if memory.is_findable]
    assert IndexedText.objects.count() == len(findable)
    memory = findable[0]
    namespace = f"memories:{memory.agent_id}:{memory.user_id}"
    assert str(memory.pk) in {hit.key for hit in fulltext.search([namespace], memory.content, 20)}
    assert all(memory.revisions.filter(action="added").exists() for memory in findable[:20])


def test_all_of_it_can_be_exported_and_comes_in_again() -> None:
    make_demo()
    admin = make_agent().owner
    User.objects.filter(pk=admin.pk).update(is_staff=True)
    admin.refresh_from_db()
    assert check(admin, export(admin), person=None).forecast == {"ignore": 400}


def test_the_same_seed_and_day_make_the_same_memories() -> None:
    make_demo()
    first = read_rows()
    make_demo(remove=True)
    assert not Memory.objects.exists()
    make_demo()
    assert read_rows() == first
    make_demo(remove=True)
    make_demo(seed=2)

    assert read_rows() != first


def test_vectors_for_measuring_stand_in_the_store() -> None:
    make_demo(vectors="random", memories=60, agents=1, people=1)
    owner, agent = User.objects.get(), Agent.objects.get()
    own = Memory.objects.filter(user=owner).exclude(embedded_with="")

    assert get_store().count(f"memories:{agent.pk}:{owner.pk}@e5-384") == own.count() > 40


def test_people_s_own_memories_are_neither_mixed_up_nor_taken_away() -> None:
    mine = make_memory(make_agent(), "The user likes tea")
    with pytest.raises(CommandError, match="There are 1 memories of people"):
        make_demo()
    assert Memory.objects.count() == 1
    make_demo(yes=True)
    assert Memory.objects.count() == 401
    with pytest.raises(CommandError, match="There is a demonstration already"):
        make_demo(yes=True)
    make_demo(remove=True)

    assert Memory.objects.get() == mine
    assert User.objects.get() == mine.user
    assert IndexedText.objects.count() == 0
    assert find_drifted() == []


def test_nobody_signs_in_as_a_demonstrator_without_a_password_of_their_own(client: Client) -> None:
    make_demo(memories=1)

    assert not any(person.has_usable_password() for person in User.objects.all())
    assert not client.login(username="demo", password="")


@pytest.mark.parametrize("name", ["memories", "agents", "people"])
def test_nothing_at_all_is_no_demonstration(name: str) -> None:
    with pytest.raises(CommandError, match="must be 1 or more"):
        make_demo(**{name: 0})
